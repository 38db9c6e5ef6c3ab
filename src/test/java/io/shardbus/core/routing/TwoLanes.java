package io.shardbus.core.routing;

import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Set;

/** Two lanes and the frames between them: a is the sender, b the home, unless said otherwise. */
abstract class TwoLanes {
    static final NodeId A = new NodeId("a");
    static final NodeId B = new NodeId("b");
    static final NodeId C = new NodeId("c");
    static final FencingToken T1 = new FencingToken(7, 1, 1);
    static final FencingToken T2 = new FencingToken(7, 1, 2);
    static final FencingToken V3 = new FencingToken(7, 1, 3);

    final LaneFixture a = new LaneFixture(A, 10);
    final LaneFixture b = new LaneFixture(B, 10);
    long now;

    TwoLanes() {
        a.knows(B);
        b.knows(A);
    }

    static ShardHome home(FencingToken version, FencingToken token, NodeId node) {
        return new ShardHome(1, version, token, node, 1);
    }

    static BeginHandoff begin(FencingToken version, NodeId home, NodeId... participants) {
        return new BeginHandoff(1, version, T1, home, 1, Set.of(participants), false);
    }

    void homeAtB() {
        b.extendLease(10_000, now);
        b.lane.hostShard(1, T1, now);
        a.lane.showHomes(List.of(home(T1, T1, B)), now);
    }

    void tell(LaneFixture from, Object message) {
        from.lane.send(1, "e", message, null, now);
    }

    /** Carries frames until all is quiet. */
    void exchange() {
        for (int i = 0; i < 10; i++) {
            a.flush(now);
            b.flush(now);
            a.framesTo(B).forEach(frame -> b.receive(A, frame, now));
            b.framesTo(A).forEach(frame -> a.receive(B, frame, now));
        }
    }
}
