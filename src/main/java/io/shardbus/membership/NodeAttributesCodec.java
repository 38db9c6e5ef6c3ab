package io.shardbus.membership;

import io.shardbus.store.UnreadableRecordException;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.Fields;
import io.shardbus.wire.WireFormatException;
import io.shardbus.wire.WireVersion;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Encoding of node attributes in the cluster's cache: one byte with the version, 3, then numbered fields. The first
 * field is the wire version of the node's messages; if it differs from this node's, the other fields are not read.
 * Versions 1 and 2 had no numbered fields.
 */
final class NodeAttributesCodec {
    private static final byte VERSION = 3;
    private static final byte LAST_FIXED = 2;

    private static final int WIRE = 1;
    private static final int MAY_COORDINATE = 2;
    private static final int APP_VERSION = 3;
    private static final int ROLE = 4;
    private static final int BUS_HOST = 5;
    private static final int BUS_PORT = 6;
    private static final int SAFETY = 7;
    private static final int SECRET = 8;

    private static final int OPTION_KEY = 1;
    private static final int OPTION_VALUE = 2;

    private NodeAttributesCodec() {}

    static byte[] encode(NodeAttributes attributes) {
        FieldWriter out = new FieldWriter()
                .raw(new byte[] {VERSION})
                .number(WIRE, WireVersion.CURRENT)
                .flag(MAY_COORDINATE, attributes.mayCoordinate())
                .text(APP_VERSION, attributes.appVersion());
        new TreeSet<>(attributes.roles()).forEach(role -> out.bytes(ROLE, role.getBytes(StandardCharsets.UTF_8)));
        if (attributes.busPort() > 0) {
            out.text(BUS_HOST, attributes.busHost()).number(BUS_PORT, attributes.busPort());
        }
        new TreeMap<>(attributes.safety())
                .forEach((key, value) -> out.record(
                        SAFETY, option -> option.text(OPTION_KEY, key).text(OPTION_VALUE, value)));
        if (!attributes.secret().isEmpty()) {
            out.text(SECRET, attributes.secret());
        }
        return out.toBytes();
    }

    /**
     * The wire version of a node's messages to others.
     *
     * @throws UnreadableRecordException if the bytes are not a node's attributes
     */
    static int wireVersion(byte[] bytes) {
        return bytes.length > 0 && bytes[0] >= 1 && bytes[0] <= LAST_FIXED
                ? WireVersion.WITHOUT_FIELDS
                : fields(bytes).count(WIRE);
    }

    /** @throws UnreadableRecordException if the bytes are not the attributes of a node with this node's wire version */
    static NodeAttributes decode(byte[] bytes) {
        Fields in = fields(bytes);
        if (in.count(WIRE) != WireVersion.CURRENT) {
            throw new UnreadableRecordException("attributes of a node with wire version " + in.count(WIRE));
        }
        try {
            var roles = new HashSet<>(in.list(ROLE, FieldReader::text));
            var attributes = new NodeAttributes(roles, in.flag(MAY_COORDINATE), in.text(APP_VERSION))
                    .decidingBy(safety(in))
                    .sealingWith(in.text(SECRET));
            return in.count(BUS_PORT) > 0 ? attributes.at(in.text(BUS_HOST), in.count(BUS_PORT)) : attributes;
        } catch (WireFormatException | IllegalArgumentException e) {
            throw new UnreadableRecordException("node attributes of " + bytes.length + " bytes cannot be read", e);
        }
    }

    private static Map<String, String> safety(Fields in) {
        var options = new HashMap<String, String>();
        in.list(SAFETY, field -> Fields.of(field.record()))
                .forEach(option -> options.put(option.text(OPTION_KEY), option.text(OPTION_VALUE)));
        return options;
    }

    private static Fields fields(byte[] bytes) {
        if (bytes.length == 0 || bytes[0] != VERSION) {
            throw new UnreadableRecordException("node attributes of version "
                    + (bytes.length == 0 ? "none" : Byte.toUnsignedInt(bytes[0])) + "; this build reads version "
                    + VERSION + " only");
        }
        try {
            var fields = Fields.of(new FieldReader(bytes, 1, bytes.length));
            fields.count(WIRE);
            return fields;
        } catch (WireFormatException e) {
            throw new UnreadableRecordException("node attributes of " + bytes.length + " bytes cannot be read", e);
        }
    }
}
