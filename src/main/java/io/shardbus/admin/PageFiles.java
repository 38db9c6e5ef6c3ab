package io.shardbus.admin;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The files of the page, read whole from the class path, about 200 kB. Only files of the list in {@code files.txt} are
 * served. Their addresses hold a version, a hash of all of them, so that browsers may keep them.
 */
final class PageFiles {
    private static final String PLACE = "ui/";
    private static final String LIST = "files.txt";
    private static final String VERSION_MARK = "@version@";
    private static final Pattern INLINE_SCRIPT =
            Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);
    private static final int VERSION_LENGTH = 12;
    private static final Map<String, String> TYPES =
            Map.of("js", "text/javascript; charset=utf-8", "css", "text/css; charset=utf-8", "svg", "image/svg+xml");

    /**
     * One file.
     *
     * @param type its Content-Type
     * @param zipped the same bytes by gzip
     */
    record File(String type, Buffer bytes, Buffer zipped) {}

    private final Map<String, File> files = new HashMap<>();
    private final String version;
    private final Buffer index;
    private final String policy;

    private PageFiles(Map<String, byte[]> contents, String indexTemplate, PageSettings settings) {
        contents.forEach((name, bytes) ->
                files.put(name, new File(type(name), Buffer.buffer(bytes), Buffer.buffer(gzip(bytes)))));
        version = version(contents, indexTemplate);
        var html = settings.in(indexTemplate.replace(VERSION_MARK, version));
        index = Buffer.buffer(html);
        policy = "default-src 'self'; script-src 'self' '" + hashOfInlineScript(html)
                + "'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    /**
     * Reads the files; blocks.
     *
     * @throws IllegalStateException if one is missing: the build unpacks the libraries among them from their webjars
     */
    static PageFiles read(PageSettings settings) {
        var contents = new TreeMap<String, byte[]>();
        for (var name : listed()) {
            contents.put(name, bytes(name));
        }
        return new PageFiles(contents, text("index.html"), settings);
    }

    static List<String> listed() {
        return text(LIST).lines().filter(line -> !line.isBlank()).toList();
    }

    /** The names of the directory in which the files are served. */
    String version() {
        return version;
    }

    Buffer index() {
        return index;
    }

    /** The Content-Security-Policy of the index: nothing of other origins, and no inline script but its import map. */
    String policy() {
        return policy;
    }

    /** The file of this name, as {@code views/map.js}; null if there is none. */
    @Nullable
    File file(String name) {
        return files.get(name);
    }

    private static String version(Map<String, byte[]> contents, String indexTemplate) {
        var hash = sha256();
        hash.update(indexTemplate.getBytes(StandardCharsets.UTF_8));
        contents.forEach((name, bytes) -> {
            hash.update(name.getBytes(StandardCharsets.UTF_8));
            hash.update(bytes);
        });
        return HexFormat.of().formatHex(hash.digest()).substring(0, VERSION_LENGTH);
    }

    private static String hashOfInlineScript(String html) {
        var script = INLINE_SCRIPT.matcher(html);
        if (!script.find()) {
            throw new IllegalStateException("the page's index has no import map");
        }
        var digest = sha256().digest(script.group(1).getBytes(StandardCharsets.UTF_8));
        return "sha256-" + Base64.getEncoder().encodeToString(digest);
    }

    private static String type(String name) {
        var suffix = name.substring(name.lastIndexOf('.') + 1);
        return Objects.requireNonNull(TYPES.get(suffix), () -> "the page's file " + name + " has no known type");
    }

    private static String text(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String name) {
        try (var in = PageFiles.class.getResourceAsStream(PLACE + name)) {
            if (in == null) {
                throw new IllegalStateException("the page's file " + name + " is not on the class path");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] gzip(byte[] bytes) {
        var out = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java has SHA-256", e);
        }
    }
}
