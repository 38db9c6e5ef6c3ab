package io.shardbus.membership;

import io.shardbus.store.UnreadableRecordException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.TreeSet;

/**
 * The form of node attributes in the cluster's cache. Version 1: the version in one byte, whether the node may
 * coordinate in one, the application's version, the number of roles in two bytes, the roles in alphabetical order; a text
 * is what {@link java.io.DataOutput#writeUTF} makes of it. Version 2: the same, then the host of the event bus and its port in two
 * bytes.
 */
final class NodeAttributesCodec {
    private static final int WITHOUT_BUS = 1;
    private static final int WITH_BUS = 2;

    private NodeAttributesCodec() {}

    static byte[] encode(NodeAttributes attributes) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(attributes.busPort() > 0 ? WITH_BUS : WITHOUT_BUS);
            out.writeBoolean(attributes.mayCoordinate());
            out.writeUTF(attributes.appVersion());
            out.writeShort(attributes.roles().size());
            for (var role : new TreeSet<>(attributes.roles())) {
                out.writeUTF(role);
            }
            if (attributes.busPort() > 0) {
                out.writeUTF(attributes.busHost());
                out.writeShort(attributes.busPort());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot happen in memory", e);
        }
        return bytes.toByteArray();
    }

    /** @throws UnreadableRecordException if the bytes are not attributes of a version that is known here */
    static NodeAttributes decode(byte[] bytes) {
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            var version = in.readUnsignedByte();
            if (version != WITHOUT_BUS && version != WITH_BUS) {
                throw new UnreadableRecordException(
                        "node attributes of version " + version + "; this release reads versions 1 and 2 only");
            }
            var mayCoordinate = in.readBoolean();
            var appVersion = in.readUTF();
            var count = in.readUnsignedShort();
            var roles = new HashSet<String>();
            for (int i = 0; i < count; i++) {
                roles.add(in.readUTF());
            }
            var attributes = new NodeAttributes(roles, mayCoordinate, appVersion);
            return version == WITH_BUS ? attributes.at(in.readUTF(), in.readUnsignedShort()) : attributes;
        } catch (IOException | IllegalArgumentException e) {
            throw new UnreadableRecordException("node attributes of " + bytes.length + " bytes cannot be read", e);
        }
    }
}
