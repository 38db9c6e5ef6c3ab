package io.shardbus.integration.messages;

import static io.shardbus.integration.Await.result;
import static io.shardbus.integration.LoneNode.failure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ExecutionModel;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.testkit.TestEntityRef;
import io.vertx.core.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers are of the class that the ask says, or fail it with a code. */
class AnswerTest {
    private static LoneNode node;

    sealed interface Question {}

    record Name() implements Question, Ask<String> {}

    record Wrong() implements Question, Ask<String> {}

    record WrongLater() implements Question, Ask<String> {}

    record Nothing() implements Question, Ask<String> {}

    record Count() implements Question, Ask<Long> {}

    private static final class Answering implements Entity<Question> {
        private long count;

        @Override
        public Future<?> receive(Question message, EntityContext<Question> context) {
            count++;
            if (message instanceof Name name) {
                return context.reply(name, context.id());
            } else if (message instanceof Wrong) {
                return reply(7);
            } else if (message instanceof WrongLater) {
                return Future.future(later -> context.vertx().runOnContext(turn -> later.complete(7)));
            } else if (message instanceof Count asked) {
                return context.reply(asked, count);
            }
            return done();
        }
    }

    @BeforeAll
    static void open() {
        node = new LoneNode(TestCluster.options());
    }

    @AfterAll
    static void close() {
        node.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = ExecutionModel.class,
            names = {"EVENT_LOOP", "WORKER"})
    void aWrongAnswerFailsItsAskAndNothingElse(ExecutionModel model) {
        EntityType<Question> type = EntityType.of("answers-" + model, Question.class);
        EntityRef<Question> entity = node.start(
                        EntityDefinition.of(type, id -> new Answering()).withExecution(model))
                .entityRef("e");
        assertEquals("e", result(entity.ask(new Name())));
        for (var wrong : new Ask<?>[] {new Wrong(), new WrongLater()}) {
            var failure = failure(entity.ask(wrong));
            assertEquals(FailureCode.INVALID_ANSWER, failure.code());
            assertEquals(
                    "entity 'answers-" + model + "/e' answered "
                            + wrong.getClass().getName() + " with a java.lang.Integer; its Ask says java.lang.String",
                    failure.getMessage());
        }
        entity.tell(new Wrong());
        assertNull(result(entity.ask(new Nothing())));
        assertEquals(6, result(entity.ask(new Count())), "the same instance");
    }

    @Test
    void theTestReferenceChecksTheSame() {
        EntityType<Question> type = EntityType.of("answers-of-a-test", Question.class);
        EntityRef<Question> entity = TestEntityRef.of(type, "e").answering(message -> Future.succeededFuture(7));
        var failure = failure(entity.ask(new Name()));
        assertEquals(FailureCode.INVALID_ANSWER, failure.code());
        assertTrue(failure.getMessage().contains(Name.class.getName()), failure::getMessage);
        assertEquals(
                FailureCode.INVALID_ANSWER, failure(entity.ask(new Count())).code());
    }
}
