package io.shardbus.core.splitbrain;

import io.shardbus.model.SplitSnapshot;
import java.util.Optional;

/** A side with a fixed number of the members that count goes on; none does if both sides could have it. */
public final class StaticQuorum extends CountedSplit {
    private final int quorum;

    public StaticQuorum(int quorum, String role) {
        super(role);
        this.quorum = quorum;
    }

    @Override
    boolean goesOn(Sides sides) {
        return sides.ours() >= quorum && sides.members().size() <= limit();
    }

    @Override
    public Optional<String> objection(SplitSnapshot whole) {
        int size = Sides.counted(whole, role()).members().size();
        return size <= limit()
                ? Optional.empty()
                : Optional.of("the cluster has " + size + " members that count, more than " + limit()
                        + ": both sides of a split could have the quorum of " + quorum + ", so all would stop");
    }

    private int limit() {
        return 2 * quorum - 1;
    }
}
