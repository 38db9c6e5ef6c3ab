package io.shardbus.core.splitbrain;

import io.shardbus.core.splitbrain.SplitCommand.AskArbiter;
import io.shardbus.core.splitbrain.SplitCommand.GoOn;
import io.shardbus.core.splitbrain.SplitCommand.Hold;
import io.shardbus.core.splitbrain.SplitCommand.Rejoin;
import io.shardbus.core.splitbrain.SplitCommand.ReleaseArbiter;
import io.shardbus.core.splitbrain.SplitCommand.Stop;
import io.shardbus.core.splitbrain.SplitCommand.Warn;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What a node wanted done about a split, in words, and its questions to the arbiter. */
final class SplitWords implements SplitCommand.Visitor {
    private final List<String> said = new ArrayList<>();
    private final Map<Long, AskArbiter> asked = new HashMap<>();

    void clear() {
        said.clear();
    }

    /** What was said since the last time. */
    List<String> take() {
        List<String> words = List.copyOf(said);
        said.clear();
        return words;
    }

    AskArbiter asked(long question) {
        return Objects.requireNonNull(asked.get(question), () -> "question " + question + " was not asked");
    }

    int questions() {
        return asked.size();
    }

    @Override
    public void hold(Hold command) {
        said.add("hold");
    }

    @Override
    public void goOn(GoOn command) {
        said.add("go on without " + sorted(command) + (command.override() ? " against the majority" : ""));
    }

    private String sorted(GoOn command) {
        return String.join(
                ",", command.lost().stream().map(NodeId::value).sorted().toList());
    }

    @Override
    public void stop(Stop command) {
        said.add(command.yield() ? "stop and yield" : "stop");
    }

    @Override
    public void readRecord(SplitCommand.ReadRecord command) {
        said.add("read");
    }

    @Override
    public void giveUpCaches(SplitCommand.GiveUpCaches command) {
        said.add("give up caches");
    }

    @Override
    public void rejoin(Rejoin command) {
        said.add(command.stopped() ? "rejoin" : "calm");
    }

    @Override
    public void askArbiter(AskArbiter command) {
        asked.put(command.question(), command);
        said.add("ask " + command.question());
    }

    @Override
    public void releaseArbiter(ReleaseArbiter command) {
        said.add("release " + command.owner() + " as of " + command.stamp());
    }

    @Override
    public void warn(Warn command) {
        said.add("warn: " + command.text());
    }
}
