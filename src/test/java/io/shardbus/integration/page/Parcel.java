package io.shardbus.integration.page;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.spi.Inspectable;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;

/** An entity that shows where it is, and keeps back who gets it. */
final class Parcel implements Entity<String>, Inspectable {
    private String place = "nowhere";

    @Override
    public Future<?> receive(String message, EntityContext<String> context) {
        place = message;
        return done();
    }

    @Override
    public JsonObject inspect() {
        return new JsonObject().put("place", place).put("receiver", "***");
    }
}
