package io.shardbus.runtime.node;

import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A new region and its peers open the ways between their lanes before the region gets its first shard: addresses are
 * looked up and connections made before a message waits for them.
 */
final class Greetings {
    private static final Logger LOG = LoggerFactory.getLogger(Greetings.class);
    private static final int MOST_LANES = 64;
    /** A peer that does not answer must not keep the region from starting. */
    private static final long PATIENCE_MS = 500;

    private final NodeAssembly assembly;
    private final Function<String, Optional<RegionControl<?>>> regions;

    Greetings(NodeAssembly assembly, Function<String, Optional<RegionControl<?>>> regions) {
        this.assembly = assembly;
        this.regions = regions;
    }

    /**
     * Greets the members for a region whose lanes listen; succeeds when all have answered, or time is up. They are
     * asked once more when the lanes have spoken: what was sent before has arrived by then, and no member has a message
     * for a lane of which it has not heard.
     */
    Future<Void> exchange(String type, int lanes) {
        Query.Greet greeting = new Query.Greet(type, assembly.self(), lanes);
        Query.Greet heard = new Query.Greet(type, assembly.self(), 0);
        List<Future<QueryAnswer.Lanes>> answers = assembly.status().picture().members().stream()
                .filter(member -> !member.equals(assembly.self()))
                .map(member -> transport()
                        .query(member, greeting, PATIENCE_MS)
                        .onSuccess(answer -> introduce(type, member, answer.lanes()))
                        .onFailure(silent -> introduce(type, member, lanes))
                        .compose(answer -> transport().query(member, heard, PATIENCE_MS)))
                .toList();
        return Future.join(answers)
                .timeout(PATIENCE_MS, TimeUnit.MILLISECONDS)
                .onFailure(failure -> LOG.debug("type={}: not every member was greeted", type, failure))
                .<Void>mapEmpty()
                .otherwiseEmpty()
                .compose(done -> requireSameSecret(answers));
    }

    /**
     * A node that most others refuse for its cluster secret is the one that is configured wrongly: it hosts and
     * coordinates nothing.
     */
    private Future<Void> requireSameSecret(List<Future<QueryAnswer.Lanes>> answers) {
        List<Throwable> refusals = answers.stream()
                .filter(Future::failed)
                .map(Future::cause)
                .filter(BusTransport::isOtherSecret)
                .toList();
        if (2 * refusals.size() <= answers.size()) {
            return Future.succeededFuture();
        }
        Throwable why = refusals.get(0);
        LOG.error("this node coordinates nothing: {}", why.getMessage());
        return assembly.onControl(control -> {
            control.withdraw();
            return Future.failedFuture(why);
        });
    }

    /** A new region of another node greets: its lanes are greeted back. */
    Future<QueryAnswer.Lanes> answer(Query.Greet greeting) {
        int lanes = regions.apply(greeting.type())
                .map(region -> region.handle().settings().lanes())
                .orElse(0);
        if (lanes > 0 && assembly.status().knows(greeting.node())) {
            introduce(greeting.type(), greeting.node(), greeting.lanes());
        }
        return Future.succeededFuture(new QueryAnswer.Lanes(lanes));
    }

    /**
     * The lanes say themselves that they are there, each side to the other: there may have been, or may come, others in
     * their place.
     */
    private void introduce(String type, NodeId node, int lanes) {
        greet(type, node, lanes);
        regions.apply(type).ifPresent(region -> {
            for (int lane = 0; lane < Math.min(lanes, MOST_LANES); lane++) {
                region.handle().greet(new PeerLane(node, lane));
            }
        });
    }

    private void greet(String type, NodeId node, int lanes) {
        for (int lane = 0; lane < Math.min(lanes, MOST_LANES); lane++) {
            transport().greet(type, new PeerLane(node, lane));
        }
    }

    private BusTransport transport() {
        return assembly.parts().transport();
    }
}
