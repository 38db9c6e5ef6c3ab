package io.shardbus.membership.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.Await;
import io.shardbus.integration.TestCluster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jgroups.JChannel;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.NameCache;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members that only hear each other, and notice after 2 s that they do not. */
@Timeout(120)
@Tag("slow")
class HeartbeatWatchIT {
    private static final String STACK = """
            <config xmlns="urn:org:jgroups">
              <TCP bind_addr="127.0.0.1" bind_port="%d" port_range="0" sock_conn_timeout="300" diag.enabled="false"
                bundler_type="io.shardbus.membership.detection.QuietBundler"/>
              <TCPPING initial_hosts="%s" port_range="0"/>
              <MERGE3 min_interval="300" max_interval="1000"/>
              <%s timeout="2000" interval="500" hold="6000"/>
              <io.shardbus.membership.detection.SuspectCheck timeout="500"/>
              <pbcast.NAKACK2 use_mcast_xmit="false"/>
              <UNICAST3/>
              <pbcast.STABLE/>
              <pbcast.GMS print_local_addr="false" join_timeout="500"/>
            </config>
            """;

    /** How long a process gets no time: shorter than the detection, about as long, and longer. */
    private static final List<Duration> FREEZES = Stream.of(1600, 2200, 2600, 3000, 3400, 6000)
            .map(Duration::ofMillis)
            .toList();

    /** When who wakes says whom it has not heard, and for how long the first member believes it. */
    private static final Duration ITS_NEXT_CHECKS = Duration.ofMillis(1500);

    private final List<Integer> ports =
            Stream.generate(TestCluster::freePort).distinct().limit(4).toList();
    private final List<Member> members = new ArrayList<>();

    private static final class Member implements Receiver {
        private final JChannel channel;
        private final List<View> views = new CopyOnWriteArrayList<>();

        private Member(String name, int port, List<Integer> ports) throws Exception {
            var hosts = String.join(
                    ",", ports.stream().map("127.0.0.1[%d]"::formatted).toList());
            var stack = STACK.formatted(port, hosts, HeartbeatWatch.class.getName());
            channel = new JChannel(new ByteArrayInputStream(stack.getBytes(StandardCharsets.UTF_8)))
                    .name(name)
                    .setReceiver(this);
            channel.connect("heartbeat-watch");
        }

        @Override
        public void viewAccepted(View view) {
            views.add(view);
        }

        private List<String> view() {
            return names(channel.getView());
        }

        private static List<String> names(View view) {
            return view.getMembers().stream().map(NameCache::get).toList();
        }

        private void insert(DISCARD discard) throws Exception {
            channel.getProtocolStack().insertProtocol(discard, ProtocolStack.Position.ABOVE, TP.class);
        }

        private void heal() {
            channel.getProtocolStack().removeProtocol(DISCARD.class);
        }

        private int misses() {
            HeartbeatWatch watch = channel.getProtocolStack().findProtocol(HeartbeatWatch.class);
            return watch.getSuspectEventsSent();
        }

        @Override
        public String toString() {
            return views.stream().map(Member::names).toList().toString();
        }
    }

    /** A member in a process of its own: its name, its port, then the ports of all. It ends with its standard input. */
    public static void main(String[] args) throws Exception {
        var ports = Stream.of(args).skip(2).map(Integer::valueOf).toList();
        new Member(args[0], Integer.parseInt(args[1]), ports);
        System.exit(System.in.read());
    }

    private Member start(String name) throws Exception {
        var member = new Member(name, ports.get(members.size()), ports);
        members.add(member);
        return member;
    }

    private Process startProcess(String name) throws IOException {
        var command = Stream.concat(
                Stream.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.net.preferIPv4Stack=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HeartbeatWatchIT.class.getName(),
                        name,
                        ports.get(3).toString()),
                ports.stream().map(Object::toString));
        return new ProcessBuilder(command.toList())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void signal(Process process, String signal) throws IOException, InterruptedException {
        assertEquals(
                0,
                new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                        .start()
                        .waitFor());
    }

    private static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        Await.until(() -> time, () -> System.nanoTime() > end);
    }

    private static void untilMembers(int count, Member... seenBy) {
        for (var member : seenBy) {
            Await.until(() -> member, () -> member.view().size() == count);
        }
    }

    @AfterEach
    void close() {
        members.forEach(member -> member.channel.close());
    }

    @Test
    @DisplayName("a member that gets no time for a while leaves alone or not at all, and comes back")
    void wakingMember() throws Exception {
        var first = start("A");
        var frozen = startProcess("frozen");
        try {
            untilMembers(2, first);
            var second = start("B");
            var third = start("C");
            untilMembers(4, first, second, third);
            int whole = first.views.size();
            for (var freeze : FREEZES) {
                signal(frozen, "-STOP");
                pass(freeze);
                signal(frozen, "-CONT");
                pass(ITS_NEXT_CHECKS);
                untilMembers(4, first, second, third);
            }
            for (var view : first.views.subList(whole, first.views.size())) {
                assertEquals(
                        List.of("A", "B", "C"),
                        Member.names(view).stream()
                                .filter(name -> !name.equals("frozen"))
                                .sorted()
                                .toList(),
                        first::toString);
            }
        } finally {
            frozen.destroyForcibly().waitFor();
        }
    }

    @Test
    @DisplayName("a member that does not hear others that hear it excludes none of them")
    void deafMember() throws Exception {
        var first = start("A");
        var deaf = start("B");
        var third = start("C");
        var fourth = start("D");
        untilMembers(4, first, deaf, third, fourth);
        int whole = first.views.size();
        deaf.insert(
                new DISCARD().addIgnoreMember(third.channel.getAddress()).addIgnoreMember(fourth.channel.getAddress()));
        Await.until(() -> deaf, () -> deaf.misses() > 10);
        deaf.heal();
        assertEquals(List.of(), first.views.subList(whole, first.views.size()), first::toString);
        assertEquals(List.of("A", "B", "C", "D"), first.view());
    }

    @Test
    @DisplayName(
            "of two that do not hear each other the younger leaves once, and both meet again when it has been mended")
    void deadLink() throws Exception {
        var first = start("A");
        var second = start("B");
        var third = start("C");
        untilMembers(3, first, second, third);
        int whole = first.views.size();
        int wholeOfThird = third.views.size();
        second.insert(new DISCARD().addIgnoreMember(third.channel.getAddress()));
        third.insert(new DISCARD().addIgnoreMember(second.channel.getAddress()));
        Await.until(
                () -> first,
                () -> first.view().equals(List.of("A", "B")) && second.view().equals(List.of("A", "B")));
        second.heal();
        third.heal();
        untilMembers(3, first, second);
        Await.until(
                () -> third,
                () -> third.views.size() > wholeOfThird && third.view().size() == 3);
        assertEquals(List.of(2, 3), sizes(first, whole), first::toString);
        assertEquals(List.of(1, 3), sizes(third, wholeOfThird), third::toString);
    }

    private static List<Integer> sizes(Member member, int since) {
        return member.views.subList(since, member.views.size()).stream()
                .map(View::size)
                .toList();
    }
}
