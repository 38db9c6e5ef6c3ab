package io.shardbus.delivery;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;

/** Some money of which each movement is an event. */
final class Purse implements EventSourcedEntity<Purse.Command, Purse.Event, Long> {
    static final EntityType<Command> TYPE = EntityType.of("purse", Command.class);

    sealed interface Command {}

    /** Zero stores nothing. */
    record Put(long amount) implements Command, Ask<Long> {}

    record Take(long amount) implements Command, Ask<Long> {}

    record Close() implements Command, Ask<Long> {}

    /** Puts one in, and answers with 3000 letters. */
    record Long3() implements Command, Ask<String> {}

    /** What the sender calls this command. */
    record Id() implements Command, Ask<String> {}

    sealed interface Event {}

    record Moved(long amount) implements Event {}

    static String name(PersistenceContext<Command> context) {
        return context.commandId().map(Object::toString).orElse("none");
    }

    @Override
    public Long emptyState() {
        return 0L;
    }

    @Override
    public Effect<Event, Long> handle(Long content, Command command, PersistenceContext<Command> context) {
        if (command instanceof Put put) {
            return put.amount() == 0
                    ? reply(content)
                    : persist(new Moved(put.amount())).thenReply(now -> now);
        }
        if (command instanceof Take take) {
            return take.amount() > content
                    ? refuse("INSUFFICIENT", "there is " + content)
                    : persist(new Moved(-take.amount())).thenReply(now -> now);
        }
        if (command instanceof Long3) {
            return persist(new Moved(1)).thenReply(now -> "x".repeat(3000));
        }
        return command instanceof Id ? reply(name(context)) : delete().thenReply(now -> now);
    }

    @Override
    public Long apply(Long content, Event event) {
        return content + ((Moved) event).amount();
    }
}
