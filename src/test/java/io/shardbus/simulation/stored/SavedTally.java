package io.shardbus.simulation.stored;

import io.shardbus.persistence.DurableState;
import io.shardbus.persistence.DurableStateEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.persistence.StateEffect;
import io.shardbus.simulation.stored.Tally.Command;
import io.shardbus.simulation.stored.Tally.Noted;
import io.shardbus.simulation.stored.Tally.State;

/** A tally that stores its state as a whole; each command that stores something leads to one event of it. */
final class SavedTally implements DurableStateEntity<Command, State> {
    private final String id;
    private final Tally.Reader reader;

    private SavedTally(String id, Tally.Reader reader) {
        this.id = id;
        this.reader = reader;
    }

    static DurableState<Command, State> type(Tally.Reader reader) {
        return DurableState.of(Tally.TYPE, id -> new SavedTally(id, reader), new Tally.States());
    }

    @Override
    public State emptyState() {
        return Tally.NOTHING;
    }

    @Override
    public StateEffect<State> handle(State state, Command command, PersistenceContext<Command> context) {
        return switch (command.manner()) {
            case REFUSE -> refuse("REFUSED", "as wanted");
            case THROW -> throw new IllegalStateException("as wanted");
            case READ -> reply(state.shown());
            case CONFIRMED_READ -> {
                StateEffect<State> read = reply(state.shown());
                yield read.confirmed();
            }
            case NOTHING -> nothing();
            case DELETE -> delete();
            case ERASE -> throw new IllegalStateException("an erasure is no command of the entity");
            case PASSIVATE -> saved(state, command).thenPassivate();
            case PLAIN, SNAPSHOT -> saved(state, command);
            case REMIND -> {
                Tally.remind(command, reader.wallMillis(), context);
                yield saved(state, command);
            }
            case CANCEL -> {
                Tally.cancel(context);
                yield saved(state, command);
            }
            case RING -> state.hasRung(command) ? nothing() : saved(state, command);
        };
    }

    private StateEffect<State> saved(State state, Command command) {
        return save(state.with(new Noted(command.number(), 1)))
                .thenRun(after -> reader.acted())
                .thenReply(after -> after.answer(command));
    }

    @Override
    public void recovered(State state, PersistenceContext<Command> context) {
        reader.recovered(id, state, context);
    }
}
