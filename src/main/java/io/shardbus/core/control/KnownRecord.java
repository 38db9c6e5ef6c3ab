package io.shardbus.core.control;

import io.shardbus.model.TermRecord;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The term record as this node knows it: the last one that it read, since when it is unchanged, and what replicas show.
 */
final class KnownRecord {
    private @Nullable TermRecord seen;
    private long since;
    /** The newest that a replica showed, and when it was first shown. */
    private @Nullable TermRecord sighted;

    private long sightedAt;
    private boolean everRead;
    private boolean doubted;

    /** The record that was read last; null for no record. */
    @Nullable
    TermRecord record() {
        return seen;
    }

    /** Whether it was read since this node last had a reason to read it again. */
    boolean isRead() {
        return everRead;
    }

    /** The moment since which the record stands there unchanged. */
    long since() {
        return since;
    }

    long unchangedFor(long now) {
        return now - since;
    }

    /** The record must be read before it is used. */
    void readAgain() {
        everRead = false;
    }

    /** The record counts as seen for the first time when it is read next. */
    void seeAnew() {
        everRead = false;
        seen = null;
        sighted = null;
        doubted = true;
    }

    /** Whether another record may have been there since this node last claimed. */
    boolean isDoubted() {
        return doubted;
    }

    /** This node claims it: the moments of its own writes are known from now on. */
    void claimed() {
        doubted = false;
    }

    /** A replica shows this record: if the same is read later, it is unchanged since now. */
    void sight(TermRecord record, long now) {
        if (everRead && record.isNewerThan(seen) && record.isNewerThan(sighted)) {
            sighted = record;
            sightedAt = now;
        }
    }

    /** The record of another node was read, or none. */
    void read(@Nullable TermRecord found, long now) {
        become(found, found != null && found.equals(sighted) ? sightedAt : now);
    }

    /** The record of this node's last claim was read; its last write was at the given moment. */
    void readOwn(TermRecord found, long written, long now) {
        if (doubted) {
            read(found, now);
        } else {
            become(found, written);
        }
    }

    private void become(@Nullable TermRecord found, long from) {
        if (!Objects.equals(found, seen)) {
            since = from;
        }
        seen = found;
        everRead = true;
    }
}
