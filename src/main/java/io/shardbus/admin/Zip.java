package io.shardbus.admin;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Texts as gzip, one after the other, each of which can be read when it has come. Not for several threads at once. */
final class Zip {
    static final String NAME = "gzip";
    private static final int BUFFER = 8_192;

    private final ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    private final GZIPOutputStream zip;

    /** As fast as it can be: an event loop waits for it. */
    private static final class Fast extends GZIPOutputStream {
        Fast(OutputStream out) throws IOException {
            super(out, BUFFER, true);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    Zip() {
        try {
            zip = new Fast(zipped);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the client of a request takes gzip, also among others. */
    static boolean isTaken(RoutingContext request) {
        var accepted = request.request().getHeader(HttpHeaders.ACCEPT_ENCODING);
        return accepted != null
                && Arrays.stream(accepted.toLowerCase(Locale.ROOT).split(","))
                        .map(String::strip)
                        .anyMatch(one -> one.equals(NAME)
                                || one.startsWith(NAME + ";") && !one.matches("gzip\\s*;\\s*q=0(\\.0*)?"));
    }

    /** All of it at once. */
    static Buffer of(Buffer bytes) {
        var zip = new Zip();
        zip.write(bytes.getBytes());
        return zip.end();
    }

    /** The next part of what the client reads. */
    Buffer next(String text) {
        write(text.getBytes(StandardCharsets.UTF_8));
        return taken();
    }

    private void write(byte[] bytes) {
        try {
            zip.write(bytes);
            zip.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The last part; frees what is kept outside of the heap. */
    Buffer end() {
        try {
            zip.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return taken();
    }

    private Buffer taken() {
        var bytes = Buffer.buffer(zipped.toByteArray());
        zipped.reset();
        return bytes;
    }
}
