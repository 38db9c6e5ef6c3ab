package io.shardbus.store.infinispan;

import io.shardbus.store.UnreadableRecordException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.infinispan.persistence.sifs.EntryHeader;
import org.infinispan.persistence.sifs.NonBlockingSoftIndexFileStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the incomplete write that a process which died in the middle of it left at the end of its data files. No
 * caller was told that such an entry is stored. Infinispan 14 takes it for the newest of its key as soon as its head
 * and key are there, and then fails on it.
 */
final class UnfinishedWrites {
    private static final Logger LOG = LoggerFactory.getLogger(UnfinishedWrites.class);

    /** Magic, lengths of key, metadata, value and internal metadata, number, expiration. */
    private static final int HEAD_BYTES = 1 + 2 + 2 + 4 + 2 + 8 + 8;

    private static final int ZEROS_AT_ONCE = 64 * 1024;

    private UnfinishedWrites() {}

    /**
     * Blocks. No store may run on the files.
     *
     * @param tree with the data files of Infinispan's soft-index store somewhere below it
     * @throws UnreadableRecordException if a file holds something else than entries; it is left as it is
     */
    static void cut(Path tree) {
        if (Files.notExists(tree)) {
            return;
        }
        try (var found = Files.walk(tree)) {
            for (var file : found.filter(UnfinishedWrites::isData).toList()) {
                cutFile(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the files in " + tree + ": " + e, e);
        }
    }

    private static boolean isData(Path file) {
        return file.getFileName().toString().startsWith(NonBlockingSoftIndexFileStore.PREFIX_LATEST)
                && Files.isRegularFile(file);
    }

    private static void cutFile(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long whole = wholeEntries(file, channel);
            if (whole < channel.size()) {
                LOG.info("{}: removed {} bytes of an incomplete write", file, channel.size() - whole);
                channel.truncate(whole);
                channel.force(true);
            }
        }
    }

    /** Number of bytes from the start on that are complete entries. */
    private static long wholeEntries(Path file, FileChannel channel) throws IOException {
        long size = channel.size();
        var head = ByteBuffer.allocate(HEAD_BYTES);
        long end = 0;
        while (end + HEAD_BYTES <= size) {
            read(channel, head.clear(), end);
            if (head.get(0) == 0 && isZeroFrom(channel, end)) {
                return end;
            }
            long next = end + length(file, end, head);
            if (next > size) {
                return end;
            }
            end = next;
        }
        return end;
    }

    private static int length(Path file, long position, ByteBuffer head) {
        try {
            var entry = new EntryHeader(head);
            if (entry.keyLength() > 0 && entry.metadataLength() >= 0 && entry.valueLength() >= 0) {
                return entry.totalLength();
            }
            throw new IllegalStateException("lengths that cannot be: " + entry);
        } catch (IllegalStateException e) {
            throw new UnreadableRecordException(
                    file + " is damaged at byte " + position
                            + ", and remembered ids may follow there. Bring the file back"
                            + " from a copy; or give this node an empty directory while other nodes run that have "
                            + "theirs",
                    e);
        }
    }

    /** A file system that lost power may have given a file its length without its content. */
    private static boolean isZeroFrom(FileChannel channel, long start) throws IOException {
        var bytes = ByteBuffer.allocate(ZEROS_AT_ONCE);
        for (long position = start; position < channel.size(); position += bytes.limit()) {
            bytes.clear().limit((int) Math.min(ZEROS_AT_ONCE, channel.size() - position));
            read(channel, bytes, position);
            while (bytes.hasRemaining()) {
                if (bytes.get() != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Fills the buffer and turns it for reading. */
    private static void read(FileChannel channel, ByteBuffer buffer, long position) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, position + buffer.position()) < 0) {
                throw new IOException("the file became shorter while it was read");
            }
        }
        buffer.flip();
    }
}
