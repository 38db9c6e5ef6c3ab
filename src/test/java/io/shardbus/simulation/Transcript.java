package io.shardbus.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.TermId;
import io.shardbus.simulation.Network.ForAll;
import io.shardbus.simulation.Network.ForCoordinator;
import io.shardbus.simulation.Network.ForRegion;
import io.shardbus.simulation.Network.Frame;
import io.shardbus.simulation.time.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the nodes of a run say and do, as text. What repeats is left out: heartbeats; other messages to the coordinator
 * that are retransmitted in a chapter; all but the first grant of a lease to a region, and announcement of a term to a
 * node; confirmations of the term record; frames without a message.
 */
final class Transcript {
    private static final Set<String> LEFT_OUT =
            Set.of("status", "tells", "asks", "answered", "reports", "asked to stop", "fault", "asks for seats");
    private static final Pattern TOKEN =
            Pattern.compile("FencingToken\\[term=(\\d+), incarnation=\\d+, sequence=(\\d+)]");
    private static final Pattern TERM = Pattern.compile("TermId\\[number=(\\d+), incarnation=\\d+]");
    private static final Pattern RECORD_TERM = Pattern.compile("TermRecord\\[term=(\\d+), ");
    private static final Pattern FRAME = Pattern.compile("^Frame\\[.* bounces \\d+ +(.*)]$");
    /** Numbers that only tell one message from another. */
    private static final Pattern NUMBERS =
            Pattern.compile("(attempt|heartbeat|incarnation|instance|ask|waitFrom|confirmSent|millis)=-?\\d+(, )?");

    private static final Pattern EMPTY = Pattern.compile("(, )?(\\w+=(null|\\[]|0 bytes)|statesLost=0)(?=[,\\]])");
    /** Of these the name is enough. */
    private static final List<String> COLLAPSED = List.of("RegionProfile", "Charter", "ItemHeaders");

    private final StringBuilder text = new StringBuilder();
    private final Set<String> said = new HashSet<>();
    private final Set<String> asked = new HashSet<>();
    private final Map<String, Integer> terms = new HashMap<>();
    private boolean paused;

    Transcript(Simulation world) {
        world.timeline().readBy(this::read);
    }

    /** The next part of the story. */
    Transcript chapter(String heading) {
        asked.clear();
        text.append(text.length() == 0 ? "" : "\n")
                .append("== ")
                .append(heading)
                .append('\n');
        return this;
    }

    /** What happens from now on is told, or is not. */
    void tell(boolean on) {
        paused = !on;
    }

    private void read(Timeline.Entry entry) {
        boolean isTold = isTold(entry); // also while paused: what was said then is not told later
        if (isTold && !paused) {
            text.append(String.format("%6d  %-5s %s", entry.moment(), lane(entry.who()), sentence(entry))
                            .stripTrailing())
                    .append('\n');
        }
    }

    private static String lane(Object who) {
        String name = who.toString();
        return name.contains("/") ? name.substring(0, name.indexOf('/')) : name;
    }

    private boolean isTold(Timeline.Entry entry) {
        if (entry.detail() instanceof Network.Packet packet) {
            return isTold(packet, entry.who() + " " + entry.what());
        }
        return !LEFT_OUT.contains(entry.what()) && !(entry.what().equals("wrote") && isConfirmation(entry.detail()));
    }

    private static boolean isConfirmation(Object record) {
        return !record.toString().contains("beat=0,");
    }

    private boolean isTold(Network.Packet packet, String way) {
        if (packet instanceof Frame frame) {
            return !frame.items().isEmpty();
        }
        if (packet instanceof ForRegion sent && sent.message() instanceof ToRegion.LeaseGranted) {
            return said.add(way + " lease " + sent.term());
        }
        if (packet instanceof ForAll sent && sent.message() instanceof NodeMessage.TermAnnounced announced) {
            return said.add(way + announced);
        }
        if (packet instanceof ForCoordinator sent) {
            return !(sent.message() instanceof ToCoordinator.Heartbeat) && asked.add(way + sent);
        }
        return packet instanceof ForRegion || packet instanceof ForAll;
    }

    private String sentence(Timeline.Entry entry) {
        if (!(entry.detail() instanceof Network.Packet packet)) {
            return (entry.what() + " " + shortened(entry.detail().toString())).strip();
        }
        String to = entry.what().replace("to ", "-> ") + "  ";
        if (packet instanceof ForRegion sent) {
            return to + "term " + term(sent.term()) + ": "
                    + shortened(sent.message().toString());
        }
        if (packet instanceof ForCoordinator sent) {
            return to + "term " + term(sent.term()) + ": "
                    + shortened(sent.message().toString());
        }
        if (packet instanceof ForAll sent) {
            return to + shortened(sent.message().toString());
        }
        return to + FRAME.matcher(shortened(packet.toString())).replaceFirst("frame: $1");
    }

    private int term(TermId term) {
        return term(Long.toString(term.number()));
    }

    /** Terms are counted in the order in which they are first seen: their numbers come from clocks. */
    private int term(String number) {
        return number.equals("0") ? 0 : terms.computeIfAbsent(number, first -> terms.size() + 1);
    }

    private String shortened(String words) {
        String shorter = words;
        for (String name : COLLAPSED) {
            shorter = collapsed(shorter, name);
        }
        shorter = TOKEN.matcher(shorter).replaceAll(found -> term(found.group(1)) + "." + found.group(2));
        shorter = RECORD_TERM.matcher(shorter).replaceAll(found -> "TermRecord[term=" + term(found.group(1)) + ", ");
        shorter = TERM.matcher(shorter).replaceAll(found -> "term " + term(found.group(1)));
        shorter = NUMBERS.matcher(shorter).replaceAll("");
        return EMPTY.matcher(shorter).replaceAll("").replace(", ]", "]").replace("[, ", "[");
    }

    private static String collapsed(String words, String name) {
        int begin = words.indexOf(name + "[");
        if (begin < 0) {
            return words;
        }
        int end = begin + name.length();
        int depth = 0;
        do {
            char next = words.charAt(end++);
            depth += next == '[' ? 1 : next == ']' ? -1 : 0;
        } while (depth > 0);
        return words.substring(0, begin) + "..." + words.substring(end);
    }

    /** Compares the whole text with a file. With {@code -Dshardbus.stories.write=true} writes the file, and fails. */
    void equalsFile(String name) throws IOException {
        Path file = Path.of("src", "test", "resources", "stories", name);
        if (Boolean.getBoolean("shardbus.stories.write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            fail(file + " is written: read it, and run the test again without the property");
        }
        assertEquals(Files.readString(file), text.toString(), file + "; -Dshardbus.stories.write=true writes it anew");
    }
}
