package io.shardbus.runtime.node;

import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.DeadLetter;
import io.shardbus.model.DeadLetterReport;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.region.RegionControl;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The last dead letters of this node, and of several nodes. */
final class DeadLetterQueries {
    /** Dead letters in one answer, of all nodes and of each. */
    static final int MOST = 200;

    private static final Comparator<DeadLetter> LATEST_FIRST =
            Comparator.comparingLong(DeadLetter::at).reversed();

    private DeadLetterQueries() {}

    static QueryAnswer.DeadLetters here(RegionStarter regions, NodeId self) {
        List<DeadLetter> found = new ArrayList<>();
        for (RegionControl<?> region : regions.all()) {
            found.addAll(region.handle().deadLetters(self));
        }
        return new QueryAnswer.DeadLetters(latest(found));
    }

    static DeadLetterReport merge(Map<NodeId, Optional<QueryAnswer.DeadLetters>> answers) {
        List<DeadLetter> found = new ArrayList<>();
        Set<NodeId> silent = new HashSet<>();
        answers.forEach((node, answer) ->
                answer.ifPresentOrElse(letters -> found.addAll(letters.letters()), () -> silent.add(node)));
        return new DeadLetterReport(latest(found), silent);
    }

    private static List<DeadLetter> latest(List<DeadLetter> found) {
        return found.stream().sorted(LATEST_FIRST).limit(MOST).toList();
    }
}
