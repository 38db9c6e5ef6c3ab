package io.shardbus.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.SharedStore;
import io.shardbus.model.TermId;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Control messages come over, also those of a build that says more. */
class LaterBuildTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final TermId TERM = new TermId(1_790_000_000_000L, Long.MAX_VALUE - 5);
    private static final FencingToken TOKEN = new FencingToken(TERM.number(), TERM.incarnation(), 300);
    private static final RegionProfile PROFILE = new RegionProfile(
            true,
            300,
            "x",
            "",
            4,
            1,
            new RegionProfile.Safety("keep-majority", 5_000),
            new RegionProfile.Memory(true, "durable"));
    private static final ShardHome HOME = new ShardHome(0, TOKEN, TOKEN, B, 1);

    static Stream<ControlMessage> everyMessage() {
        var profile = PROFILE;
        var backend =
                new RegionProfile(false, 300, "x", "1.2", 4, 1, profile.safety(), profile.memory(), "backend", null);
        var reports = List.of(new ShardReport(0, TOKEN), new ShardReport(299, TOKEN));
        var toCoordinator = Stream.of(
                new ToCoordinator.Register(1L << 32, profile, reports, 5),
                new ToCoordinator.Register(1L << 32, profile, List.of(), 5, true, reports),
                new ToCoordinator.Register(1, profile, List.of(), 5, true, List.of(), 3),
                new ToCoordinator.Register(1, profile.storedIn(new SharedStore("4f", "sqlite:/a.db", 9)), reports, 5),
                new ToCoordinator.Register(1, backend, reports, 5),
                new ToCoordinator.Heartbeat(3, 4, 5, reports),
                new ToCoordinator.Heartbeat(3, 4, 5, List.of()),
                new ToCoordinator.Heartbeat(3, 4, 5, List.of(), reports),
                new ToCoordinator.GetShardHomes(1, List.of(0, 5, 299)),
                new ToCoordinator.ShardHosted(1, 5, TOKEN, 9),
                new ToCoordinator.ShardStopped(5, TOKEN, true),
                new ToCoordinator.HandoffAborted(0, TOKEN),
                new ToCoordinator.HandoffAborted(0, TOKEN, new HoldUp("e1", 12_000, 3, List.of(A, B))),
                new ToCoordinator.HandoffAborted(7, TOKEN),
                new ToCoordinator.Leave(1),
                new ToCoordinator.Goodbye(1, 3));
        var toRegion = Stream.of(
                new ToRegion.Registered(1, Set.of(0, 7)),
                new ToRegion.Refused(1, "no"),
                new ToRegion.LeaseGranted(1, 2, 8_000),
                new ToRegion.LeaseGranted(1, 2, 8_000, true),
                new ToRegion.LeaseGranted(1, 2, 8_000, false, 3),
                new ToRegion.RegisterAgain(1),
                new ToRegion.HostShard(1, 2, TOKEN),
                new ToRegion.HostShard(1, 2, TOKEN, HOME),
                new ToRegion.ShardHomes(List.of(HOME, new ShardHome(1, TOKEN, FencingToken.NONE, A, 2))),
                new ToRegion.BeginHandoff(0, TOKEN, TOKEN, A, 2, Set.of(A, B), true),
                new ToRegion.BeginHandoff(7, TOKEN, TOKEN, A, 2, Set.of(A), false),
                new ToRegion.AbortHandoff(2, TOKEN),
                new ToRegion.StopRecorded(2, TOKEN),
                new ToRegion.LeaveComplete(1));
        var toNode = Stream.of(
                new NodeMessage.TermAnnounced(TERM, B),
                new NodeMessage.TermAnnounced(TERM, B, Set.of()),
                new NodeMessage.TermAnnounced(TERM, B, Set.of(A, B)),
                new NodeMessage.Abdicated(TERM, Map.of("cart", Set.of(A, B), "empty", Set.of())),
                new NodeMessage.NodeLeaving(B, true),
                new NodeMessage.SeatsAsked(A, TERM, 2, Set.of("a:7800", "b:7800")),
                new NodeMessage.SeatsAsked(A, TERM, 0, Set.of()),
                new NodeMessage.SeatAnswered(A, TERM, 1, "a:7800", true, true, Set.of("a:7800", "b:7800")),
                new NodeMessage.SeatAnswered(A, TERM, 0, "", false, false, Set.of()));
        return Stream.of(
                        toCoordinator.map(body -> new ControlMessage.ForCoordinator(A, TERM, "cart", body)),
                        toRegion.map(body -> new ControlMessage.ForRegion(A, TERM, "cart", body)),
                        toNode.map(body -> new ControlMessage.ForNode(A, body)))
                .flatMap(messages -> messages);
    }

    @ParameterizedTest
    @MethodSource("everyMessage")
    void everyMessageComesOverAlsoWithFieldsThatOnlyALaterBuildHas(ControlMessage message) {
        var frame = ControlCodec.begin(A);
        ControlCodec.append(frame, message);
        assertEquals(List.of(message), ControlCodec.decode(frame));
        var later = Buffer.buffer()
                .appendByte(frame.getByte(0))
                .appendBytes(withMore(frame.getBytes(1, frame.length()), 15, ControlEncoder.BODY));
        assertEquals(List.of(message), ControlCodec.decode(later));
    }

    /** Adds the numbers of the fields of a record. */
    private static void collect(FieldReader record, Set<Integer> numbers) {
        while (record.next()) {
            numbers.add(record.field());
        }
    }

    /** The numbers of the fields of each kind of control message, and those of a profile as kind 0. */
    private static Map<Integer, Set<Integer>> written() {
        Map<Integer, Set<Integer>> written = new TreeMap<>();
        everyMessage().forEach(message -> {
            var frame = ControlCodec.begin(A);
            ControlCodec.append(frame, message);
            var in = new FieldReader(frame.getBytes(1, frame.length()));
            while (in.next() && in.field() != 15) {
                in.whole();
            }
            var fields = in.record();
            int kind = 0;
            while (fields.next()) {
                if (fields.field() == ControlEncoder.KIND) {
                    kind = fields.count();
                } else if (fields.field() == ControlEncoder.BODY) {
                    byte[] body = fields.bytes();
                    collect(new FieldReader(body), written.computeIfAbsent(kind, any -> new TreeSet<>()));
                    collectProfile(kind, body, written);
                }
            }
        });
        return written;
    }

    private static void collectProfile(int kind, byte[] body, Map<Integer, Set<Integer>> written) {
        var in = new FieldReader(body);
        while (kind == ControlKind.REGISTER && in.next()) {
            if (in.field() == 2) {
                collect(in.record(), written.computeIfAbsent(0, any -> new TreeSet<>()));
            }
        }
    }

    /** Numbers of fields in a sentence of the page: those outside braces and parentheses. */
    private static Set<Integer> numbers(String text) {
        return Pattern.compile("(?:^|,\\s)(\\d+)\\s")
                .matcher(text.replaceAll("\\{[^}]*\\}|\\([^)]*\\)", ""))
                .results()
                .map(number -> Integer.valueOf(number.group(1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<Integer, Set<Integer>> described(String page) {
        Map<Integer, Set<Integer>> described = new TreeMap<>();
        Pattern.compile("^\\| (\\d+) \\w+ \\| (.*) \\|$", Pattern.MULTILINE)
                .matcher(page)
                .results()
                .forEach(row -> described.put(Integer.valueOf(row.group(1)), numbers(row.group(2))));
        String profile = page.substring(page.indexOf("\nA profile: ") + 12);
        described.put(0, numbers(profile.substring(0, profile.indexOf("\n\n"))));
        return described;
    }

    @Test
    void theWirePageHasTheFieldsOfEachControlMessage() throws IOException {
        String page = Files.readString(Path.of("docs", "reference", "wire.md"));
        page = page.substring(page.indexOf("## Control frame"), page.indexOf("## Query and answer"));
        assertEquals(written(), described(page));
        assertNotEquals(written(), described(page.replace(", 4 former home", "")));
        assertNotEquals(written(), described(page.replace(", 9 remembers", "")));
    }

    /** The same record with a field of each form more, in it and in the records that lie in it on this path. */
    private static byte[] withMore(byte[] record, int... path) {
        var in = new FieldReader(record);
        var out = new FieldWriter();
        while (in.next()) {
            if (path.length > 0 && in.field() == path[0]) {
                out.bytes(in.field(), withMore(in.bytes(), Arrays.copyOfRange(path, 1, path.length)));
            } else {
                out.raw(in.whole());
            }
        }
        return out.number(1_000, 7).fixed(1_001, 8).text(1_002, "invented").toBytes();
    }

    @Test
    void theCountsOfAShardComeOverAlsoFromEarlierAndLaterBuilds() {
        var earlier = new JsonObject("{\"shards\":[[7,1,2,3,4,5]]}");
        var later = new JsonObject("{\"shards\":[[7,1,2,3,4,5,6,99]],\"invented\":1}");
        assertEquals(
                List.of(new QueryAnswer.ShardCount(7, 1, 2, 3, 4, 5, -1)),
                QueryJson.region(earlier).shards());
        assertEquals(
                List.of(new QueryAnswer.ShardCount(7, 1, 2, 3, 4, 5, 6)),
                QueryJson.region(later).shards());
    }

    @Test
    void aMessageOfAnUnknownKindLeavesTheOthersAsTheyAre() {
        var leave = new ControlMessage.ForCoordinator(A, TERM, "cart", new ToCoordinator.Leave(1));
        var frame = ControlCodec.begin(A);
        ControlCodec.append(frame, leave);
        var invented = new FieldWriter()
                .record(
                        15,
                        message -> message.number(ControlEncoder.KIND, 4_711)
                                .record(ControlEncoder.BODY, body -> body.text(1, "invented")))
                .record(15, message -> message.number(ControlEncoder.KIND, 4_712));
        frame.appendBytes(invented.toBytes());
        ControlCodec.append(frame, leave);
        assertEquals(
                List.of(leave, new ControlMessage.Unknown(A, 4_711), new ControlMessage.Unknown(A, 4_712), leave),
                ControlCodec.decode(frame));
    }

    /** The first is how builds without numbered fields began a frame. */
    @Test
    void anotherVersionIsRefusedByNumber() {
        var old = Buffer.buffer().appendByte((byte) 1).appendInt(1).appendString("a");
        var refusal = assertThrows(WireFormatException.class, () -> ControlCodec.decode(old));
        assertEquals("control frame of version 1, this node reads 2", refusal.getMessage());
        assertThrows(WireFormatException.class, () -> ControlCodec.decode(Buffer.buffer()));
        assertThrows(WireFormatException.class, () -> ControlCodec.decode(Buffer.buffer(new byte[] {2})), "no sender");
    }
}
