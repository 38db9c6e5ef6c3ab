package io.shardbus.examples;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingEnvelope;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.RestartPolicy;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.spi.EnvelopeExtractor;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The code of docs/guides/coming-from.md: it compiles, and does what the guide says. */
class ComingFromTest {
    private static final Pattern OURS = Pattern.compile("// Shardbus\\n(.*?)```", Pattern.DOTALL);
    private static final EntityType<Command> COUNTER = EntityType.of("coming-from", Command.class);
    private static final EntityType<AccountCommand> ACCOUNT = EntityType.of("account", AccountCommand.class);

    public sealed interface Command {}

    public record Increment() implements Command {}

    public record GetValue() implements Command, Ask<Integer> {}

    private record Letter(String to, Command content) {}

    private sealed interface AccountCommand {}

    private record Deposit(long amount) implements AccountCommand, Ask<Long> {}

    private sealed interface Event {}

    private record Deposited(long amount) implements Event {}

    static final class Counter implements Entity<Command> {
        private int value;

        @Override
        public Future<?> receive(Command message, EntityContext<Command> context) {
            if (message instanceof Increment) {
                value++;
                return done();
            }
            return context.reply((GetValue) message, value);
        }
    }

    static final class Account implements EventSourcedEntity<AccountCommand, Event, Long> {
        @Override
        public Long emptyState() {
            return 0L;
        }

        @Override
        public Effect<Event, Long> handle(
                Long balance, AccountCommand message, PersistenceContext<AccountCommand> context) {
            Deposit deposit = (Deposit) message;
            return persist(new Deposited(deposit.amount())).thenReply(after -> after);
        }

        @Override
        public Long apply(Long balance, Event event) {
            return balance + ((Deposited) event).amount();
        }
    }

    @Test
    @DisplayName("The guide's counter is started, told and asked as it says")
    void startsAndSends() {
        Vertx vertx = Vertx.vertx();
        try {
            ShardingOptions options = TestCluster.options();
            ClusterSharding sharding = ClusterSharding.create(vertx, options.addRole("backend"));
            Future<ShardRegion<Command>> region = sharding.start(
                    EntityDefinition.of(COUNTER, id -> new Counter()).withRole("backend"));
            Future<Integer> value = region.compose(started -> {
                started.tell(new ShardingEnvelope<>("42", new Increment()));
                EntityRef<Command> counter = sharding.entityRef(COUNTER, "42");
                return counter.ask(new GetValue(), Duration.ofSeconds(10));
            });
            assertEquals(1, await(value));
        } finally {
            await(vertx.close());
        }
    }

    @Test
    @DisplayName("Definitions are made as the guide says")
    void makesDefinitions() {
        EntityDefinition<Command> definition = EntityDefinition.of(COUNTER, id -> new Counter());
        definition = definition.withMessageExtractor(EnvelopeExtractor.of(Letter.class, Letter::to, Letter::content));
        var min = Duration.ofMillis(100);
        var max = Duration.ofSeconds(5);
        definition = definition
                .withRestartPolicy(RestartPolicy.restart().withLimit(10, Duration.ofMinutes(1)))
                .withRestartPolicy(IllegalStateException.class, RestartPolicy.resume())
                .withRestartPolicy(IOException.class, RestartPolicy.stopWithBackoff(min, max));
        assertEquals(RestartPolicy.resume(), definition.restartPolicy(new IllegalStateException("in it")));
        assertEquals(
                "account",
                EventSourced.of(ACCOUNT, id -> new Account(), EventCodec.json(Event.class))
                        .type()
                        .name());
    }

    @Test
    @DisplayName("All code of ours in the guide is code of this test")
    void theGuidesCodeIsTriedHere() throws IOException {
        String guide = Files.readString(Path.of("docs", "guides", "coming-from.md"));
        String here = tight(
                Files.readString(Path.of("src", "test", "java", "io", "shardbus", "examples", "ComingFromTest.java")));
        var blocks = OURS.matcher(guide)
                .results()
                .map((MatchResult found) -> tight(found.group(1)))
                .toList();
        assertTrue(blocks.size() >= 6, blocks.size() + " blocks");
        blocks.forEach(block -> assertTrue(here.contains(block), block));
    }

    private static String tight(String code) {
        return code.replaceAll("\\s", "");
    }
}
