package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.Ask;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardingException;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.reminder.Reminders;
import io.shardbus.store.sqlite.SqliteStore;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Reminders of a cluster")
@Tag("slow")
class RemindersIT {
    private static final EntityType<Message> TYPE = EntityType.of("alarm", Message.class);
    private static final int ALARMS = 20;

    private final Vertx vertx = Vertx.vertx();

    @TempDir
    private Path directory;

    sealed interface Message {}

    record Plan(long at) implements Message, Ask<Boolean> {}

    record Ring() implements Message {}

    record HasRung() implements Message, Ask<Boolean> {}

    sealed interface Event {}

    record Planned(long at) implements Event {}

    record Rang() implements Event {}

    private static final class Alarm implements EventSourcedEntity<Message, Event, Boolean> {
        @Override
        public Boolean emptyState() {
            return false;
        }

        @Override
        public Effect<Event, Boolean> handle(Boolean rung, Message message, PersistenceContext<Message> context) {
            if (message instanceof Plan plan) {
                context.remind("ring", Instant.ofEpochMilli(plan.at()), new Ring());
                return persist(new Planned(plan.at())).thenReply(now -> now).thenPassivate();
            }
            return message instanceof Ring ? persist(new Rang()) : reply(rung);
        }

        @Override
        public Boolean apply(Boolean rung, Event event) {
            return event instanceof Rang;
        }
    }

    @AfterEach
    void close() {
        ClusterTestKit.await(vertx.close());
    }

    private static EntityDefinition<Message> definition(PersistenceStore store) {
        return EventSourced.of(TYPE, id -> new Alarm(), EventCodec.json(Event.class))
                .on(store);
    }

    private ClusterTestKit start(PersistenceStore store) {
        ClusterTestKit cluster = ClusterTestKit.start(3);
        cluster.startType(definition(store));
        for (ClusterTestKit.Node node : cluster.nodes()) {
            ClusterTestKit.await(
                    Reminders.create(node.vertx(), node.sharding(), store).start(definition(store)));
        }
        return cluster;
    }

    private static void plan(ClusterTestKit cluster, String prefix, long at) {
        for (int i = 0; i < ALARMS; i++) {
            ClusterTestKit.await(
                    cluster.node(0).sharding().entityRef(TYPE, prefix + i).ask(new Plan(at)));
        }
    }

    private static void untilAllRung(ClusterTestKit cluster, String prefix) {
        cluster.until("all have rung", () -> {
            try {
                for (int i = 0; i < ALARMS; i++) {
                    if (!ClusterTestKit.await(cluster.node(0)
                            .sharding()
                            .entityRef(TYPE, prefix + i)
                            .ask(new HasRung()))) {
                        return false;
                    }
                }
                return true;
            } catch (ShardingException e) {
                return false;
            }
        });
    }

    @Test
    @DisplayName("come after the entity was passivated, its node was killed, and all nodes were stopped")
    void outlive() {
        PersistenceStore store = SqliteStore.create(
                vertx, new SqliteOptions().setFile(directory.resolve("a.db").toString()));
        try (ClusterTestKit cluster = start(store)) {
            plan(cluster, "killed", System.currentTimeMillis() + 2_000);
            cluster.kill(cluster.node(1));
            cluster.untilMembers(2, cluster.node(0));
            untilAllRung(cluster, "killed");
            plan(cluster, "stopped", System.currentTimeMillis() + 1_000);
        }
        try (ClusterTestKit cluster = start(store)) {
            untilAllRung(cluster, "stopped");
            var node = cluster.node(0);
            var reminders = Reminders.create(node.vertx(), node.sharding(), store);
            cluster.until(
                    "they are done",
                    () -> ClusterTestKit.await(reminders.of(TYPE, "stopped0")).isEmpty());
            ClusterTestKit.await(
                    node.sharding().entityRef(TYPE, "later").ask(new Plan(System.currentTimeMillis() + 3_600_000)));
            assertEquals(
                    List.of("ring"),
                    ClusterTestKit.await(reminders.of(TYPE, "later")).stream()
                            .map(reminder -> reminder.name())
                            .toList());
        }
        ClusterTestKit.await(store.close());
    }
}
