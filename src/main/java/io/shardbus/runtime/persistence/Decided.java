package io.shardbus.runtime.persistence;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a decision leads to: actions, passivation and answer. */
interface Decided<S> {
    /** Whether the state is to be stored as a snapshot. */
    boolean wantsSnapshot();

    List<Consumer<? super S>> actions();

    boolean passivates();

    @Nullable
    Object answer(S state);

    /** An answer without an effect. */
    record Answered<S>(@Nullable Object value, boolean passivates) implements Decided<S> {
        @Override
        public boolean wantsSnapshot() {
            return false;
        }

        @Override
        public List<Consumer<? super S>> actions() {
            return List.of();
        }

        @Override
        public @Nullable Object answer(S state) {
            return value;
        }
    }

    /** An effect whose answer is made before it is stored. */
    record AnsweredEarly<S>(Decided<S> decided, @Nullable Object value) implements Decided<S> {
        @Override
        public boolean wantsSnapshot() {
            return decided.wantsSnapshot();
        }

        @Override
        public List<Consumer<? super S>> actions() {
            return decided.actions();
        }

        @Override
        public boolean passivates() {
            return decided.passivates();
        }

        @Override
        public @Nullable Object answer(S state) {
            return value;
        }
    }
}
