package io.shardbus.core.persistence;

import io.shardbus.model.FailureCode;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one entity that are decided on and not answered, in their order. Each was decided on the state to
 * which those before it lead, so it is answered after them, and none behind a command that was not stored is answered
 * with success. Commands are then decided on again only after the state was read anew.
 */
public final class CommitWindow {
    /** A decided command. It learns its outcome once, after the commands before it. */
    public abstract static class Entry {
        private @Nullable Entry next;
        private boolean hasRows;
        private boolean isUnderWay;
        private @Nullable FailureCode code;
        private String reason = "";

        /** The rows of this command and of those before it are stored. */
        protected abstract void stored();

        /**
         * The rows are not stored or, with {@link FailureCode#OUTCOME_UNKNOWN}, may be; or it has none, and is based on
         * rows of which this is true.
         */
        protected abstract void failed(FailureCode code, String reason);
    }

    private final int size;
    private @Nullable Entry first;
    private @Nullable Entry last;
    private int entries;
    /** The code for commands that are based on rows that were not stored; null while there are no such rows. */
    private @Nullable FailureCode broken;

    private String reason = "";
    /**
     * {@link #broken} as of the last failed command that was told. Commands before the first failed one do not see it:
     * their rows may still be stored.
     */
    private @Nullable FailureCode toldBroken;

    private boolean isTelling;

    /** @param size commands that may be unanswered at once; at least 1 */
    public CommitWindow(int size) {
        this.size = size;
    }

    public boolean isEmpty() {
        return entries == 0;
    }

    /** Whether no command is unanswered: none is in the window, and none is being completed, such as by its actions. */
    public boolean isAtRest() {
        return entries == 0 && !isTelling;
    }

    /** Whether the next command is to wait until one has been answered. */
    public boolean isFull() {
        return entries >= size;
    }

    /** Whether the state of the commands is based on rows that were not stored, and is to be read anew. */
    public boolean isBroken() {
        return broken != null;
    }

    /**
     * A command that stores rows; answered with {@link #stored} or {@link #failed}.
     *
     * @return false if it is based on rows that were not stored: it fails, and is not to be sent
     */
    public boolean addCommit(Entry entry) {
        boolean isSent = broken == null;
        entry.hasRows = true;
        entry.isUnderWay = isSent;
        add(entry);
        return isSent;
    }

    /** A command that stores nothing: it is completed together with the commands before it. */
    public void addRead(Entry entry) {
        add(entry);
    }

    private void add(Entry entry) {
        if (broken != null) {
            entry.code = broken;
            entry.reason = reason;
        }
        if (last == null) {
            first = entry;
        } else {
            last.next = entry;
        }
        last = entry;
        entries++;
        tell();
    }

    /** The rows of this command are stored. */
    public void stored(Entry entry) {
        entry.isUnderWay = false;
        tell();
    }

    /** The rows of this command are not stored or, with {@link FailureCode#OUTCOME_UNKNOWN}, may be. */
    public void failed(Entry entry, FailureCode code, String why) {
        entry.isUnderWay = false;
        entry.code = code;
        entry.reason = why;
        if (broken == null) {
            broken = behind(code);
            reason = "a command before it was not stored: " + why;
        }
        tell();
    }

    /** The code for what is decided behind a failed command: nothing of it is stored in any case. */
    private static FailureCode behind(FailureCode code) {
        return code == FailureCode.SUPERSEDED ? code : FailureCode.STORE_UNAVAILABLE;
    }

    /**
     * Completes all commands that need not wait any more. They may add further commands, which are completed after
     * them.
     */
    private void tell() {
        if (isTelling) {
            return;
        }
        isTelling = true;
        try {
            for (Entry next = first; next != null && !next.isUnderWay; next = first) {
                remove(next);
                tell(next);
            }
        } finally {
            isTelling = false;
            if (first != null && !first.isUnderWay) {
                // one of them has thrown: the others are completed all the same
                tell();
            }
        }
    }

    private void remove(Entry entry) {
        first = entry.next;
        last = first == null ? null : last;
        entries--;
    }

    private void tell(Entry entry) {
        FailureCode own = entry.code;
        if (own != null) {
            toldBroken = broken;
            entry.failed(own, entry.reason);
        } else if (toldBroken != null && !entry.hasRows) {
            entry.failed(toldBroken, reason);
        } else {
            entry.stored();
        }
    }

    /** Gives each command that is not answered to the consumer, in their order. */
    public void forEach(Consumer<Entry> consumer) {
        for (Entry entry = first; entry != null; entry = entry.next) {
            consumer.accept(entry);
        }
    }

    /** Whether a command that is not answered fulfils the condition. */
    public boolean anyMatch(Predicate<Entry> condition) {
        boolean found = false;
        for (Entry entry = first; entry != null && !found; entry = entry.next) {
            found = condition.test(entry);
        }
        return found;
    }

    /** The state was read anew; no command may be unanswered. */
    public void renew() {
        if (entries > 0) {
            throw new IllegalStateException(entries + " commands that were decided on an earlier state are unanswered");
        }
        broken = null;
        toldBroken = null;
    }
}
