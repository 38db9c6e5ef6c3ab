package io.shardbus.runtime.node;

import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardSilence;
import io.shardbus.model.SilenceReport;
import io.shardbus.runtime.region.RegionControl;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The last waits for homes of this node's senders, and of several nodes. */
final class SilenceQueries {
    /** Waits in one answer, of all nodes and of each. */
    static final int MOST = 2_000;

    private static final Comparator<ShardSilence> LATEST_FIRST =
            Comparator.comparingLong(ShardSilence::at).reversed();

    private SilenceQueries() {}

    static QueryAnswer.Silences here(RegionStarter regions, NodeId self) {
        List<ShardSilence> found = new ArrayList<>();
        for (RegionControl<?> region : regions.all()) {
            found.addAll(region.handle().silences(self));
        }
        return new QueryAnswer.Silences(latest(found));
    }

    static SilenceReport merge(Map<NodeId, Optional<QueryAnswer.Silences>> answers) {
        List<ShardSilence> found = new ArrayList<>();
        Set<NodeId> silent = new HashSet<>();
        answers.forEach((node, answer) ->
                answer.ifPresentOrElse(said -> found.addAll(said.silences()), () -> silent.add(node)));
        return new SilenceReport(latest(found), silent);
    }

    private static List<ShardSilence> latest(List<ShardSilence> found) {
        return found.stream().sorted(LATEST_FIRST).limit(MOST).toList();
    }
}
