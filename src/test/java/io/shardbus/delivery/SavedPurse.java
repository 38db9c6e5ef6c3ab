package io.shardbus.delivery;

import io.shardbus.delivery.Purse.Command;
import io.shardbus.delivery.Purse.Long3;
import io.shardbus.delivery.Purse.Put;
import io.shardbus.delivery.Purse.Take;
import io.shardbus.persistence.DurableStateEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.persistence.StateEffect;

/** A {@link Purse} whose content is stored as a whole. */
final class SavedPurse implements DurableStateEntity<Command, Long> {
    @Override
    public Long emptyState() {
        return 0L;
    }

    @Override
    public StateEffect<Long> handle(Long content, Command command, PersistenceContext<Command> context) {
        if (command instanceof Put put) {
            return put.amount() == 0
                    ? reply(content)
                    : save(content + put.amount()).thenReply(now -> now);
        }
        if (command instanceof Take take) {
            return take.amount() > content
                    ? refuse("INSUFFICIENT", "there is " + content)
                    : save(content - take.amount()).thenReply(now -> now);
        }
        if (command instanceof Long3) {
            return save(content + 1).thenReply(now -> "x".repeat(3000));
        }
        return command instanceof Purse.Id ? reply(Purse.name(context)) : delete().thenReply(now -> now);
    }
}
