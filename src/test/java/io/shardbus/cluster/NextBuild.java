package io.shardbus.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;

/**
 * A build that may follow this one: the same sources, but everything that it says has more in it than this one knows.
 * It is compiled from the sources with a few edits, so that the product need not know of it.
 */
final class NextBuild {
    private static final Path SOURCES = Path.of("src/main/java/io/shardbus");
    private static final Path CLASSES = Path.of("target/next-build");

    /** Fields of each form. */
    private static final String FIELDS = ".number(1_001, 7).fixed(1_002, -8).text(1_003, \"invented\")";

    private record Edit(String file, String text, String instead) {}

    /** A place must be there exactly once. */
    private static final List<Edit> EDITS = List.of(
            // in every record that lies in another
            new Edit("wire/FieldWriter.java", "content.accept(this);", "content.accept(this); this" + FIELDS + ";"),
            // at the head of every control frame, and a message of a kind of its own
            new Edit(
                    "transport/ControlCodec.java",
                    "new FieldWriter().node(FROM, from);",
                    "new FieldWriter().node(FROM, from)" + FIELDS
                            + ".record(MESSAGE, in -> in.number(1, 4_711).record(4, body -> body.text(1, \"x\")));"),
            // at the head of every frame, and with messages two items: one that no lane waits for, and one whose sender
            // waits
            new Edit(
                    "transport/FrameHeadFields.java",
                    "                .number(RECEIVED, answer.received());",
                    "                .number(RECEIVED, answer.received())" + FIELDS + ";"),
            new Edit("transport/FrameEncoder.java", "private boolean answerOnly;", "private boolean answerOnly, says;"),
            new Edit(
                    "transport/FrameEncoder.java",
                    "answerOnly = frameHead.number() == 0;",
                    "answerOnly = frameHead.number() == 0; says = false;"),
            new Edit(
                    "transport/FrameEncoder.java",
                    "begin(envelope, envelope.isStart()",
                    "says = true; begin(envelope, envelope.isStart()"),
            new Edit("transport/FrameEncoder.java", "        sentBytes = frame.length();", """
                            if (says) {
                                fields.clear()%s;
                                frame.appendByte((byte) 30);
                                appendFields();
                                frame.appendByte((byte) (29 | FrameKind.WITH_ASK)).appendLong(Long.MAX_VALUE);
                                appendFields();
                            }
                            sentBytes = frame.length();
                    """.formatted(FIELDS)),
            // headers with every message, and one that is not known
            new Edit(
                    "core/routing/Lane.java",
                    "envelope.headers(headers);",
                    "envelope.headers(headers.isEmpty() ? new ItemHeaders(java.util.Map.of(\"traceparent\","
                            + " \"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\"), moment + 60_000,"
                            + " \"\") : headers);"),
            new Edit(
                    "transport/HeaderFields.java",
                    "out.text(COMMAND_ID, headers.commandId());",
                    "out.text(COMMAND_ID, headers.commandId())" + FIELDS + ";"),
            // in what is stored
            new Edit("model/TermRecord.java", "        Objects.requireNonNull(owner, \"owner\");", """
                            Objects.requireNonNull(owner, "owner");
                            boolean isClaim = beat == 0 && rest.equals(UnknownFields.NONE);
                            rest = isClaim ? UnknownFields.of(new byte[] {(byte) 0xc8, 0x3e, 7}) : rest;
                    """),
            new Edit(
                    "store/infinispan/IdBucket.java",
                    "return new IdBucket(token, counted, changed, rest);",
                    "return new IdBucket(token, counted, changed,"
                            + " UnknownFields.of(new byte[] {(byte) 0xc8, 0x3e, 7}));"),
            new Edit(
                    "membership/NodeAttributesCodec.java",
                    "return out.toBytes();",
                    "return out" + FIELDS + ".toBytes();"),
            // in questions and answers, and in what lanes say of links
            new Edit(
                    "transport/QueryCodec.java",
                    "return Buffer.buffer(out.toBytes());",
                    "return Buffer.buffer(out" + FIELDS + ".toBytes());"),
            new Edit("transport/direct/LinkNote.java", "out.text(5, host)", "out" + FIELDS + ".text(5, host)"));

    private NextBuild() {}

    /** Compiles it, and says where its classes are: only those that differ. */
    static Path classes() {
        PreviousBuild.empty(CLASSES);
        Map<String, String> sources = sources();
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-nowarn",
                "-parameters",
                "-d",
                CLASSES.toString(),
                "-cp",
                System.getProperty("java.class.path")));
        Path edited = CLASSES.resolve("sources");
        sources.forEach((file, text) -> {
            Path path = edited.resolve(file);
            try {
                Files.createDirectories(path.getParent());
                Files.writeString(path, text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            arguments.add(path.toString());
        });
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        if (code != 0) {
            throw new IllegalStateException("the next build does not compile: " + code);
        }
        return CLASSES;
    }

    /** The sources that differ, by file. Fails where a place of an edit is missing, or there more than once. */
    static Map<String, String> sources() {
        Map<String, String> sources = new LinkedHashMap<>();
        EDITS.forEach(edit ->
                sources.compute(edit.file(), (file, text) -> edited(edit, text == null ? source(file) : text)));
        return sources;
    }

    private static String edited(Edit edit, String source) {
        int at = source.indexOf(edit.text());
        if (at < 0 || source.indexOf(edit.text(), at + 1) >= 0) {
            throw new IllegalStateException(edit.file() + " must contain exactly once: " + edit.text());
        }
        return source.replace(edit.text(), edit.instead());
    }

    private static String source(String file) {
        try {
            return Files.readString(SOURCES.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
