package io.shardbus.store;

import io.shardbus.model.Charter;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import io.shardbus.model.UnknownFields;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.Fields;
import io.shardbus.wire.WireFormatException;
import io.shardbus.wire.WireVersion;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a term record, one for all stores: the version 5 in one byte, then numbered fields in the order of
 * their numbers, then those that a later build has written. Equal records have equal bytes, so a store may compare
 * bytes. A number is never used for anything else; a reader must be able to do without each that was not there in the
 * first build with numbered fields.
 */
public final class TermRecordCodec {
    private static final byte VERSION = 5;
    /** The last version without numbered fields: earlier builds read up to it, and nothing above. */
    private static final byte LAST_FIXED = 4;

    private static final int TERM = 1;
    private static final int OWNER = 2;
    private static final int INCARNATION = 3;
    private static final int BEAT = 4;
    private static final int LEASE_MILLIS = 5;
    private static final int HOLDERS_KNOWN = 6;
    private static final int HOLDER = 7;
    private static final int CHARTER = 8;
    private static final int SEAT = 9;
    private static final int ENROLLED = 10;
    private static final int FOUNDING_TERM = 11;
    private static final int FOUNDING_INCARNATION = 12;
    /**
     * Raise it with each new field. No field is a record: what a later build says in one would be lost, and the bytes
     * no longer equal.
     */
    private static final int LAST_KNOWN = FOUNDING_INCARNATION;

    private TermRecordCodec() {}

    public static byte[] encode(TermRecord record) {
        Set<NodeId> holders = record.holders();
        FieldWriter out = new FieldWriter()
                .raw(new byte[] {VERSION})
                .number(TERM, record.term())
                .node(OWNER, record.owner())
                .fixed(INCARNATION, record.incarnation())
                .signed(BEAT, record.beat())
                .number(LEASE_MILLIS, record.leaseMillis())
                .flag(HOLDERS_KNOWN, holders != null);
        if (holders != null) {
            new TreeSet<>(holders).forEach(holder -> out.node(HOLDER, holder));
        }
        Charter charter = record.charter();
        if (charter != null) {
            out.flag(CHARTER, true);
            new TreeSet<>(charter.seats()).forEach(seat -> out.text(SEAT, seat));
            new TreeSet<>(charter.enrolled()).forEach(node -> out.node(ENROLLED, node));
            out.number(FOUNDING_TERM, charter.founding().number())
                    .fixed(FOUNDING_INCARNATION, charter.founding().incarnation());
        }
        return out.raw(record.rest().bytes()).toBytes();
    }

    /**
     * @throws IncompatibleRecordException if the record is of builds that this one cannot work with
     * @throws UnreadableRecordException if the bytes are not a term record
     */
    public static TermRecord decode(byte[] bytes) {
        if (bytes.length == 0) {
            throw new UnreadableRecordException("a term record of no bytes");
        }
        if (bytes[0] >= 1 && bytes[0] <= LAST_FIXED) {
            throw new IncompatibleRecordException(WireVersion.WITHOUT_FIELDS);
        }
        if (bytes[0] != VERSION) {
            throw new UnreadableRecordException("a term record of version " + Byte.toUnsignedInt(bytes[0])
                    + "; this build reads version " + VERSION + " only");
        }
        try {
            return read(Fields.of(new FieldReader(bytes, 1, bytes.length)));
        } catch (WireFormatException | IllegalArgumentException e) {
            throw new UnreadableRecordException("a term record with an impossible field: " + e.getMessage(), e);
        }
    }

    private static TermRecord read(Fields in) {
        @Nullable
        Set<NodeId> holders = in.flag(HOLDERS_KNOWN) ? new TreeSet<>(in.list(HOLDER, FieldReader::node)) : null;
        return new TermRecord(
                in.number(TERM),
                in.node(OWNER),
                in.fixed(INCARNATION),
                in.signed(BEAT),
                in.number(LEASE_MILLIS),
                holders,
                in.flag(CHARTER) ? charter(in) : null,
                UnknownFields.of(in.beyond(LAST_KNOWN)));
    }

    private static Charter charter(Fields in) {
        return new Charter(
                new TermId(in.number(FOUNDING_TERM), in.fixed(FOUNDING_INCARNATION)),
                new TreeSet<>(in.list(SEAT, FieldReader::text)),
                new TreeSet<>(in.list(ENROLLED, FieldReader::node)));
    }
}
