package io.shardbus.membership.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.model.LossReason;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.protocols.SHARED_LOOPBACK;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.NameCache;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The sign by which the failure detection noticed a loss")
class LossReasonsTest {
    private static final int MANY = 1000;

    private final HeartbeatWatch heartbeats = new HeartbeatWatch();
    private final SocketWatch sockets = new SocketWatch();
    private final SuspectCheck check = new SuspectCheck();
    private final Address lost = named("lost");
    private JChannel channel;

    private static Address named(String name) {
        Address address = UUID.randomUUID();
        NameCache.add(address, name);
        return address;
    }

    @BeforeEach
    void connect() throws Exception {
        channel = new JChannel(new SHARED_LOOPBACK(), heartbeats, sockets, check);
    }

    @AfterEach
    void close() {
        channel.close();
    }

    private LossReason reason(String member) {
        ProtocolStack stack = channel.getProtocolStack();
        return LossReasons.of(stack, member);
    }

    @Test
    @DisplayName("the end of its connection, or no heartbeat: the first sign counts")
    void theFirstSignCounts() {
        assertEquals(LossReason.SUSPICION, reason("lost"));
        sockets.suspect(new ArrayList<>(List.of(lost)));
        heartbeats.suspect(List.of(lost));
        assertEquals(LossReason.SOCKET, reason("lost"));
        Address frozen = named("frozen");
        heartbeats.suspect(List.of(frozen));
        assertEquals(LossReason.HEARTBEAT, reason("frozen"));
    }

    @Test
    @DisplayName("an exclusion for a dead link outranks the signs before it")
    void anExclusionOutranks() {
        heartbeats.suspect(List.of(lost));
        LossReasons.note(heartbeats, List.of(lost), LossReason.LINK);
        assertEquals(LossReason.LINK, reason("lost"));
    }

    @Test
    @DisplayName("a sign is refuted by an answer of the member")
    void anAnswerRefutes() {
        heartbeats.suspect(List.of(lost));
        check.removeSuspect(lost);
        assertEquals(LossReason.SUSPICION, reason("lost"));
    }

    @Test
    @DisplayName("the last members are remembered, and no more")
    void isBounded() {
        sockets.suspect(new ArrayList<>(List.of(lost)));
        for (int i = 0; i < MANY; i++) {
            heartbeats.suspect(List.of(named("m" + i)));
        }
        assertEquals(LossReason.SUSPICION, reason("lost"));
        assertEquals(LossReason.HEARTBEAT, reason("m" + (MANY - 1)));
    }
}
