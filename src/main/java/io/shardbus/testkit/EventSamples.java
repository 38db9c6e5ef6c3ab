package io.shardbus.testkit;

import io.shardbus.persistence.EventCodec;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Samples of stored events in files of the project. A test fails if the code can no longer read an event that an
 * earlier version has stored, or writes an event in another form without a new version. Blocks; for tests.
 *
 * <p>A file has the bytes of one event; its name says the event's name, version and format:
 * {@code deposited.v2.f1.event}.
 */
public final class EventSamples {
    private static final Pattern FILE = Pattern.compile("(.+)\\.v(\\d{1,9})\\.f(\\d{1,5})\\.event");

    private EventSamples() {}

    /**
     * Reads all samples of the directory with the codec, encodes each example, and compares the bytes with the sample
     * of that name and version. An example without a sample is written as a new sample, and this check fails: add the
     * file to the version control, and run the test again. Samples of earlier versions stay in the directory.
     *
     * @param directory of the samples; made if it is missing
     * @param examples one for each event that is written today
     * @return how many samples were read
     * @throws AssertionError names each file that is wrong, and says what to do
     */
    public static <E> int check(EventCodec<E> codec, Path directory, List<? extends E> examples) {
        List<String> wrong = new ArrayList<>();
        try {
            Files.createDirectories(directory);
            for (E example : examples) {
                compare(codec.encode(example), codec.format(), directory, wrong);
            }
            List<Path> samples;
            try (Stream<Path> files = Files.list(directory)) {
                samples = files.filter(file -> file.toString().endsWith(".event"))
                        .sorted()
                        .toList();
            }
            samples.forEach(sample -> read(codec, sample, wrong));
            if (!wrong.isEmpty()) {
                throw new AssertionError(String.join("\n", wrong));
            }
            return samples.size();
        } catch (IOException e) {
            throw new UncheckedIOException("the samples in " + directory, e);
        }
    }

    private static void compare(EventCodec.Encoded written, int format, Path directory, List<String> wrong)
            throws IOException {
        Path sample = directory.resolve(URLEncoder.encode(written.name(), StandardCharsets.UTF_8) + ".v"
                + written.version() + ".f" + format + ".event");
        if (Files.notExists(sample)) {
            Files.write(sample, written.payload().getBytes());
            wrong.add(sample + " is new: add it to the version control, and run the test again");
        } else if (!Buffer.buffer(Files.readAllBytes(sample)).equals(written.payload())) {
            wrong.add(sample + " has other bytes than the event is written with now. Give the event a new version and"
                    + " the codec an upcast, or let the example have the values of the sample");
        }
    }

    private static void read(EventCodec<?> codec, Path sample, List<String> wrong) {
        Matcher name = FILE.matcher(sample.getFileName().toString());
        if (!name.matches()) {
            wrong.add(sample + " is no sample: its name must be NAME.vVERSION.fFORMAT.event");
            return;
        }
        try {
            codec.decode(
                    Integer.parseInt(name.group(3)),
                    URLDecoder.decode(name.group(1), StandardCharsets.UTF_8),
                    Integer.parseInt(name.group(2)),
                    Buffer.buffer(Files.readAllBytes(sample)));
        } catch (IOException e) {
            throw new UncheckedIOException("the sample " + sample, e);
        } catch (RuntimeException e) {
            wrong.add(sample + " cannot be read any more: " + e + ". Add an alias, an upcast or a former codec");
        }
    }
}
