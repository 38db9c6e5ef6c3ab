package io.shardbus.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerTypesTest {
    record Direct() implements Ask<Long> {}

    record Listed() implements Ask<List<String>> {}

    sealed interface Family extends Ask<String> permits Member {}

    record Member() implements Family {}

    interface Passed<A, B> extends Ask<B> {}

    record Given() implements Passed<Integer, String> {}

    abstract static class Base<T> implements Passed<String, T> {}

    static final class Derived extends Base<Double> {}

    record Open<T>() implements Ask<T> {}

    @SuppressWarnings("rawtypes")
    record Raw() implements Ask {}

    record Tell() {}

    @Test
    void readsTheClassOfTheAnswer() {
        assertEquals(Long.class, AnswerTypes.of(Direct.class));
        assertEquals(List.class, AnswerTypes.of(Listed.class));
        assertEquals(String.class, AnswerTypes.of(Member.class));
        assertEquals(String.class, AnswerTypes.of(Given.class));
        assertEquals(Double.class, AnswerTypes.of(Derived.class));
    }

    @Test
    void anythingFitsWhereTheMessageDoesNotSay() {
        for (Object message : List.of(new Open<String>(), new Raw(), new Tell())) {
            assertEquals(Object.class, AnswerTypes.of(message.getClass()));
            assertTrue(AnswerTypes.fits(message, 7));
        }
    }

    @Test
    void namesEntityMessageAndBothClasses() {
        assertTrue(AnswerTypes.fits(new Direct(), 7L));
        assertTrue(AnswerTypes.fits(new Direct(), null));
        assertFalse(AnswerTypes.fits(new Direct(), 7));
        assertEquals(
                "entity 'counter/a' answered " + Direct.class.getName()
                        + " with a java.lang.Integer; its Ask says java.lang.Long",
                AnswerTypes.mismatch("counter/a", new Direct(), 7));
    }
}
