package io.shardbus.launcher;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;

/** A verticle of an application that Vert.x's launcher starts: it greets by HTTP, and says ready. */
public final class GreetingVerticle extends VerticleBase {
    private static final EntityType<String> GREETER = EntityType.of("greeter", String.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @Override
    public Future<?> start() {
        if (config().getBoolean("broken", false)) {
            return Future.failedFuture("broken by configuration");
        }
        var sharding = ClusterSharding.find(vertx).orElseThrow();
        var shutdown = GracefulShutdown.find(vertx).orElseThrow();
        var server = shutdown.serves(vertx.createHttpServer(), request -> greet(sharding, request));
        return sharding.start(EntityDefinition.of(GREETER, Greeter::new))
                .compose(region -> region.ready())
                .compose(ready -> server.listen(config().getInteger("port"), config().getString("host")))
                .onSuccess(listening -> System.out.println("ready"));
    }

    private static void greet(ClusterSharding sharding, HttpServerRequest request) {
        sharding.entityRef(GREETER, "g")
                .request(request.path().substring(1), String.class, TIMEOUT)
                .onSuccess(answer -> request.response().end(answer))
                .onFailure(failure -> request.response().setStatusCode(500).end(String.valueOf(failure)));
    }
}
