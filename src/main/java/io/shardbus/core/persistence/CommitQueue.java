package io.shardbus.core.persistence;

import io.shardbus.core.persistence.LogWriter.State;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The commits of one lane, on their way to the logs of its shards. All that a burst of the lane adds leaves with its
 * end in one batch, unless as many as may be are under way: then it leaves with the next answer. A lone commit waits
 * for nothing, and under load batches grow by themselves.
 *
 * <p>When a call has no answer, or a log refuses a batch, its log is opened again before anything else is sent. Where
 * the store does not answer for longer than the patience, all that waits fails, and so does at once what is added,
 * until an opening succeeds. An opening alone does not end the trouble while something waits to be stored: a store may
 * open logs and take no rows.
 */
public final class CommitQueue<R> {
    private final CommitPort<R> port;
    private final CommitSettings settings;
    /** The log whose turn is next comes first. */
    private final Map<LogKey, LogWriter<R>> writers = new LinkedHashMap<>();

    private final Map<Integer, LogKey> newest = new HashMap<>();
    private final LogWriter.Load load = new LogWriter.Load();
    private int underWay;
    /** Begin of the store's present failure; -1 while it does not fail. */
    private long troubledFrom = -1;

    private boolean isDown;
    /** The last read failed, and none has succeeded since. */
    private boolean readsFail;

    private long pause;
    private long nextTry;
    private String lastTrouble = "";

    public CommitQueue(CommitPort<R> port, CommitSettings settings) {
        this.port = port;
        this.settings = settings;
    }

    /** Key of a shard's log: the one that is in use, if there is one. */
    public LogKey key(int shard, FencingToken token) {
        LogKey known = newest.get(shard);
        return known != null && known.token().equals(token) ? known : new LogKey(shard, token);
    }

    /** A commit of an entity; sent with the next {@link #flush}. */
    public void add(LogKey key, Commit<R> commit) {
        LogWriter<R> writer = writer(key);
        if (writer.state() == State.SUPERSEDED) {
            commit.failed(FailureCode.SUPERSEDED, writer.loss());
        } else if (isDown) {
            commit.failed(FailureCode.STORE_UNAVAILABLE, unavailable());
        } else if (load.bytes() > 0 && load.bytes() + commit.bytes() > settings.queueBytes()) {
            commit.failed(FailureCode.STORE_UNAVAILABLE, "too much waits for the store");
        } else {
            writer.add(commit);
        }
    }

    /**
     * The log is to be opened with the next {@link #flush}, if it is not open. A shard's earlier log on this lane is
     * forgotten when nothing of it is under way.
     */
    private LogWriter<R> writer(LogKey key) {
        LogKey before = newest.get(key.shard());
        if (before == null || key.token().isNewerThan(before.token())) {
            newest.put(key.shard(), key);
            if (before != null) {
                forget(before);
            }
        }
        return writers.computeIfAbsent(
                key, wanted -> new LogWriter<>(wanted, load, (id, failure) -> port.threw(wanted, id, failure)));
    }

    private void forget(LogKey key) {
        LogWriter<R> old = writers.get(key);
        if (old != null && !key.equals(newest.get(key.shard())) && old.isIdle()) {
            writers.remove(key);
        }
    }

    /** Logs whose shards have left are not opened again. */
    private void forgetLeft() {
        for (LogWriter<R> writer : List.copyOf(writers.values())) {
            LogKey key = writer.key();
            if (writer.isIdle() && !port.isHosted(key)) {
                writers.remove(key);
                newest.remove(key.shard(), key);
            }
        }
    }

    /** The reason why nothing of the log can be read or written now; null where it can, or will be soon. */
    public @Nullable FailureCode refusal(LogKey key) {
        if (writer(key).state() == State.SUPERSEDED) {
            return FailureCode.SUPERSEDED;
        }
        return isDown ? FailureCode.STORE_UNAVAILABLE : null;
    }

    /** Why the log is not this node's, where {@link #refusal} is {@code SUPERSEDED}. */
    public String loss(LogKey key) {
        return writer(key).loss();
    }

    /** Whether an entity may have more than one command under way: half of the room is for those that have one. */
    public boolean hasRoom() {
        return 2 * load.bytes() < settings.queueBytes();
    }

    /** Commits that wait for the store, or are under way to it. */
    public long depth() {
        return load.commits();
    }

    /** The text for operators while the store does not answer. */
    public String unavailable() {
        return "the store does not answer: " + lastTrouble;
    }

    /** Whether the log is open and nothing of the entity is under way to it: what is read is all that was stored. */
    public boolean isReadable(LogKey key, String id) {
        LogWriter<R> writer = writer(key);
        return writer.state() == State.OPEN && !writer.isPending(id);
    }

    /** States that were read or written in an earlier generation are to be read again. */
    public long generation(LogKey key) {
        return writer(key).generation();
    }

    /** {@link #generation} of a log whose shard is here; may be asked on any thread. */
    public LongSupplier generations(LogKey key) {
        return writer(key).generations();
    }

    /** The store's number of a log that is open, and its opening; null while it is not. */
    public CommitBatch.@Nullable Part<R> place(LogKey key) {
        LogWriter<R> writer = writer(key);
        return writer.state() == State.OPEN
                ? new CommitBatch.Part<>(key, writer.log(), writer.opening(), writer.end(), List.of())
                : null;
    }

    /** Whether nothing waits and nothing is under way. */
    boolean isIdle() {
        return underWay == 0 && writers.values().stream().allMatch(LogWriter::isIdle);
    }

    /** Sends what can be sent; soon after something was added, and when a wanted moment has come. */
    public void flush(long now) {
        if (writers.isEmpty()) {
            answered();
        }
        giveUpLate(now);
        openClosed(now);
        while (underWay < settings.inFlight()) {
            CommitBatch<R> batch = nextBatch();
            if (batch == null) {
                break;
            }
            underWay++;
            port.append(batch);
        }
        if (troubledFrom >= 0) {
            port.wakeAt(Math.max(now + 1, isDown ? nextLook(now) : Math.min(nextLook(now), givesUpAt())));
        }
    }

    private long nextLook(long now) {
        return Math.max(nextTry, now + settings.minPause());
    }

    private long givesUpAt() {
        return troubledFrom + settings.patience();
    }

    private void giveUpLate(long now) {
        if (troubledFrom >= 0 && !isDown && now >= givesUpAt()) {
            giveUp();
        }
    }

    private void giveUp() {
        if (!isDown) {
            port.gaveUp(unavailable());
        }
        isDown = true;
        readsFail = false;
        forgetLeft();
        List.copyOf(writers.values()).forEach(writer -> {
            writer.failAll(FailureCode.STORE_UNAVAILABLE, unavailable());
            // an opening is the probe
            writer.close();
            port.readable(writer.key());
        });
    }

    private void openClosed(long now) {
        if (troubledFrom >= 0 && now < nextTry) {
            return;
        }
        List<LogKey> closed = new ArrayList<>();
        for (LogWriter<R> writer : writers.values()) {
            if (writer.state() == State.CLOSED && !isBehindNewest(writer.key())) {
                writer.opening(true);
                closed.add(writer.key());
            }
        }
        if (!closed.isEmpty()) {
            if (troubledFrom >= 0) {
                pause = Math.min(settings.maxPause(), pause * 2);
                nextTry = now + pause;
            }
            port.open(closed);
        }
    }

    /** A call opens each log once: a shard that came back has two writers of one log, and the newer one goes first. */
    private boolean isBehindNewest(LogKey key) {
        LogKey last = newest.get(key.shard());
        LogWriter<R> newer = last == null || last.equals(key) ? null : writers.get(last);
        return newer != null && newer.state() != State.OPEN && newer.state() != State.SUPERSEDED;
    }

    private @Nullable CommitBatch<R> nextBatch() {
        List<CommitBatch.Part<R>> parts = new ArrayList<>();
        int rows = settings.batchRows();
        int bytes = settings.batchBytes();
        // a shard that came back has two writers of one log for a while
        Set<Integer> logs = new HashSet<>();
        for (LogWriter<R> writer : writers.values()) {
            if (writer.state() != State.OPEN || !writer.hasWaiting() || rows <= 0 || bytes <= 0) {
                continue;
            }
            if (logs.contains(writer.log())) {
                continue;
            }
            long end = writer.end();
            List<Commit<R>> taken = writer.take(rows, bytes, parts.isEmpty());
            if (taken.isEmpty()) {
                continue;
            }
            logs.add(writer.log());
            parts.add(new CommitBatch.Part<>(writer.key(), writer.log(), writer.opening(), end, taken));
            for (Commit<R> commit : taken) {
                rows -= commit.rows().size();
                bytes -= commit.bytes();
                if (commit.isSuspect) {
                    return batch(parts);
                }
            }
        }
        return parts.isEmpty() ? null : batch(parts);
    }

    /** Logs in it come last in the next one: a log that fills whole batches holds up no other one. */
    private CommitBatch<R> batch(List<CommitBatch.Part<R>> parts) {
        for (CommitBatch.Part<R> part : parts) {
            LogWriter<R> writer = writers.remove(part.key());
            if (writer != null) {
                writers.put(part.key(), writer);
            }
        }
        return new CommitBatch<>(parts);
    }

    /** The store has opened a log. */
    public void opened(LogKey key, int log, long opening, long end, long now) {
        LogWriter<R> writer = writers.get(key);
        if (writer == null || writer.state() != State.OPENING) {
            return;
        }
        long confirmed = writer.confirmed();
        if (!writer.opened(log, opening, end)) {
            port.regressed(key, confirmed, end);
        }
        answeredIfIdle();
        port.readable(key);
        forget(key);
        flush(now);
    }

    /**
     * The log is not this node's any more, or never was.
     *
     * @param why for users
     */
    public void superseded(LogKey key, String why, long now) {
        LogWriter<R> writer = writers.get(key);
        if (writer == null || writer.state() == State.SUPERSEDED) {
            return;
        }
        writer.superseded(why);
        answeredIfIdle();
        port.superseded(key);
        port.readable(key);
        forget(key);
        flush(now);
    }

    /** A store that answers has not yet shown that it stores what waits, or gives what is to be read. */
    private void answeredIfIdle() {
        if (!readsFail && isIdle()) {
            answered();
        }
    }

    private void answered() {
        readsFail = false;
        if (troubledFrom >= 0) {
            troubledFrom = -1;
            isDown = false;
            port.troubled(false);
        }
    }

    /** The logs could not be opened. A store that cannot be used is not waited for. */
    public void openFailed(List<LogKey> keys, StoreTrouble trouble, String reason, long now) {
        for (LogKey key : keys) {
            LogWriter<R> writer = writers.get(key);
            if (writer != null && writer.state() == State.OPENING) {
                writer.opening(false);
            }
        }
        troubled(reason, now);
        if (trouble == StoreTrouble.UNUSABLE) {
            giveUp();
        }
        flush(now);
    }

    /** A read failed for want of a connection: all logs are opened again, after a pause. */
    public void readFailed(String reason, long now) {
        // after the patience no read is made that could succeed: an opening is the probe
        readsFail = !isDown;
        troubled(reason, now);
        flush(now);
    }

    /** A read has succeeded. */
    public void read() {
        readsFail = false;
        boolean isOpen = writers.values().stream()
                .allMatch(writer -> writer.state() == State.OPEN || writer.state() == State.SUPERSEDED);
        if (isOpen) {
            answeredIfIdle();
        }
    }

    private void troubled(String reason, long now) {
        lastTrouble = reason;
        forgetLeft();
        writers.values().forEach(LogWriter::close);
        if (troubledFrom < 0) {
            troubledFrom = now;
            pause = settings.minPause();
            nextTry = now + pause;
            port.troubled(true);
        }
    }

    /** The store has stored the parts of these logs, and refused the others. */
    public void appended(CommitBatch<R> batch, Set<Integer> logs, long now) {
        underWay--;
        for (CommitBatch.Part<R> part : batch.parts()) {
            LogWriter<R> writer = writers.get(part.key());
            if (writer == null || writer.opening() != part.opening()) {
                continue;
            }
            if (logs.contains(part.log())) {
                writer.stored(part.commits());
                port.readable(part.key());
            } else {
                writer.close();
            }
            forget(part.key());
        }
        if (logs.isEmpty()) {
            answeredIfIdle();
        } else {
            answered();
        }
        flush(now);
    }

    /** The batch failed as a whole. */
    public void appendFailed(CommitBatch<R> batch, StoreTrouble trouble, String reason, long now) {
        underWay--;
        boolean isOne =
                batch.parts().size() == 1 && batch.parts().get(0).commits().size() == 1;
        for (CommitBatch.Part<R> part : batch.parts()) {
            LogWriter<R> writer = writers.get(part.key());
            if (writer == null || writer.opening() != part.opening()) {
                continue;
            }
            if (trouble == StoreTrouble.ROW_REFUSED && isOne) {
                writer.refused(part.commits().get(0), reason);
            } else if (trouble == StoreTrouble.ROW_REFUSED) {
                part.commits().forEach(commit -> commit.isSuspect = true);
            }
            writer.close();
        }
        if (trouble != StoreTrouble.ROW_REFUSED) {
            troubled(reason, now);
        } else if (isOne) {
            answered();
        }
        flush(now);
    }
}
