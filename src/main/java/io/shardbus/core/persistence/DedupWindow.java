package io.shardbus.core.persistence;

import io.shardbus.model.Deduplication;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The identified commands that an entity executed last, with their answers. When one leaves the window, the moment at
 * which it was made becomes the floor: a command that is not in the window and not younger than the floor may have been
 * executed, so it is refused. No command is executed twice, however small the window is.
 */
public final class DedupWindow {
    /** A longer answer is not kept: a repeated command gets null. */
    public static final int LONGEST_ANSWER = 1024;
    /** Bytes of an entry beside its key and its answer; as {@link Deduplication#bytes} counts. */
    static final int ENTRY_BYTES = 24;

    /** Before the first command has left the window. */
    public static final long NO_FLOOR = -1;

    /** Shared and immutable before the first command: most entities have none. */
    private Map<String, Executed> entries = Map.of();

    private final Deduplication bounds;
    private long floor;
    private int bytes;

    /**
     * Hash of a command's bytes. Two commands are compared only if their bytes have one form: another build may write
     * the same command in other bytes, and to refuse a true repetition is worse than to miss a sender's mistake.
     *
     * @param form number of the form of the bytes; {@link #NO_FORM} if the build that stored it did not say
     */
    public record Fingerprint(int form, long hash) {
        public static final int NO_FORM = -1;

        private boolean isOther(Fingerprint that) {
            return form != NO_FORM && form == that.form && hash != that.hash;
        }
    }

    /** A command that has taken effect. */
    public static final class Executed {
        private final String key;
        private final long createdAt;
        private final Fingerprint fingerprint;
        private final byte @Nullable [] answer;
        private final int bytes;

        /**
         * @param key what its sender calls it
         * @param createdAt when it was made, in milliseconds since 1970
         * @param fingerprint of its bytes
         * @param answer the bytes of its answer; not kept if they are too many
         */
        public Executed(String key, long createdAt, Fingerprint fingerprint, byte @Nullable [] answer) {
            this.key = key;
            this.createdAt = createdAt;
            this.fingerprint = fingerprint;
            this.answer = answer == null || answer.length > LONGEST_ANSWER ? null : answer.clone();
            this.bytes = ENTRY_BYTES + key.length() + (this.answer == null ? 0 : this.answer.length);
        }

        public String key() {
            return key;
        }

        public long createdAt() {
            return createdAt;
        }

        public Fingerprint fingerprint() {
            return fingerprint;
        }

        /** Null if it was too long. */
        public byte @Nullable [] answer() {
            return answer == null ? null : answer.clone();
        }

        int bytes() {
            return bytes;
        }
    }

    /** Status of a command that arrives. */
    public enum CommandStatus {
        /** It is executed. */
        NEW,
        /** It was executed: it gets the first answer. */
        REPEATED,
        /** Another command with its key was executed. */
        REUSED,
        /** It may have been executed: the window has forgotten commands of its age. */
        TOO_OLD
    }

    public DedupWindow(Deduplication bounds) {
        this(bounds, NO_FLOOR, List.of());
    }

    /** A window as it was stored; entries beyond the bounds are removed. */
    public DedupWindow(Deduplication bounds, long floor, List<Executed> executed) {
        this.bounds = bounds;
        this.floor = floor;
        executed.forEach(this::add);
    }

    public CommandStatus judge(String key, long createdAt, Fingerprint fingerprint) {
        Executed executed = entries.get(key);
        if (executed != null) {
            return executed.fingerprint().isOther(fingerprint) ? CommandStatus.REUSED : CommandStatus.REPEATED;
        }
        return createdAt <= floor ? CommandStatus.TOO_OLD : CommandStatus.NEW;
    }

    /** The command with this key, if it is in the window. */
    public @Nullable Executed executed(String key) {
        return entries.get(key);
    }

    /** The command has taken effect; the oldest ones leave a window that is full. */
    public void add(Executed executed) {
        if (entries.isEmpty()) {
            entries = new LinkedHashMap<>();
        }
        Executed before = entries.remove(executed.key());
        bytes += executed.bytes() - (before == null ? 0 : before.bytes());
        entries.put(executed.key(), executed);
        Iterator<Executed> oldest = entries.values().iterator();
        while (entries.size() > bounds.commands() || bytes > bounds.bytes()) {
            Executed gone = oldest.next();
            oldest.remove();
            bytes -= gone.bytes();
            floor = Math.max(floor, gone.createdAt());
        }
    }

    /** From now on a repeated command is known, and gets null. */
    public void forgetAnswers() {
        List<Executed> known = executed();
        entries = Map.of();
        bytes = 0;
        known.forEach(each -> add(new Executed(each.key(), each.createdAt(), each.fingerprint(), null)));
    }

    /** Commands that are not in the window and not younger than this are refused. */
    public long floor() {
        return floor;
    }

    /** The oldest first. */
    public List<Executed> executed() {
        return new ArrayList<>(entries.values());
    }

    public boolean isEmpty() {
        return entries.isEmpty() && floor == NO_FLOOR;
    }

    public Deduplication bounds() {
        return bounds;
    }

    int bytes() {
        return bytes;
    }

    public DedupWindow copy() {
        return new DedupWindow(bounds, floor, executed());
    }
}
