package io.shardbus.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.shardbus.Ask;
import io.shardbus.Entity;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnwritableFieldsTest {
    sealed interface Bare {}

    record Stone(int weight) implements Bare {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    sealed interface Named {}

    record Rock(int weight) implements Named {}

    sealed interface Message {}

    record Fine(String text, List<Map<String, Stone>> stones, Named named, Fine next) implements Message {}

    record Wish(Optional<String> thing, @JsonIgnore Optional<String> unwritten) implements Message {}

    record Wall(List<Bare> stones, Set<Bare> others) implements Message {}

    record Box(Inner inner) implements Message {}

    record Inner(OptionalLong size) {}

    record Question() implements Message, Ask<Answer> {}

    record Answer(Map<String, Optional<Long>> values) {}

    private static List<String> of(Class<?> message) {
        return of(message, RecordJson.BARE);
    }

    private static <M> List<String> of(Class<M> message, RecordJson json) {
        EntityType<M> type = EntityType.of("t", message);
        return PayloadCodecs.unwritableFields(EntityDefinition.of(type, id -> (Entity<M>) (any, context) -> null)
                .withCodec(new TypeCodec<>(type, json)));
    }

    @Test
    void namesEachFieldOfMessagesAndAnswers() {
        String bare = Bare.class.getName() + " does not say which of its classes a value is: it needs @JsonTypeInfo";
        assertEquals(
                List.of(
                        "Wish.thing: java.util.Optional is no JSON value without jackson-datatype-jdk8",
                        "Wall.stones: " + bare,
                        "Wall.others: " + bare,
                        "Inner.size: java.util.OptionalLong is no JSON value without jackson-datatype-jdk8",
                        "Answer.values: java.util.Optional is no JSON value without jackson-datatype-jdk8"),
                of(Message.class));
    }

    @Test
    void saysNothingOfOptionalsWhereTheirModuleIsOnTheClassPath() {
        assertEquals(List.of(), of(Wish.class, RecordJson.DEFAULT));
        assertEquals(List.of(), of(Box.class, RecordJson.DEFAULT));
    }

    @Test
    void saysNothingOfWhatTravels() {
        assertEquals(List.of(), of(Fine.class));
        assertEquals(List.of(), of(String.class));
    }
}
