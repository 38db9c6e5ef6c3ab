package io.shardbus.launcher;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.vertx.core.Future;

/** An entity that a configuration can name: it says hello to whoever is named. */
public class Greeter implements Entity<String> {
    private final String id;

    public Greeter(String id) {
        this.id = id;
    }

    @Override
    public Future<?> receive(String name, EntityContext<String> context) {
        return reply("hello " + name + ", I am " + id);
    }

    /** One whose instances do not learn their id. */
    public static final class Nameless extends Greeter {
        public Nameless() {
            super("nobody");
        }
    }

    /** One that cannot be made. */
    public static final class Unreachable extends Greeter {
        Unreachable() {
            super("");
        }
    }
}
