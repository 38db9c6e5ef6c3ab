package io.shardbus.runtime.control;

import io.shardbus.core.control.Dependents;
import io.shardbus.core.control.KnownMembers;
import io.shardbus.core.control.NodeControl;
import io.shardbus.membership.ClusterView;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * State of this node's control plane as other threads see it: {@link CoordinatorVerticle} publishes it after each
 * event. Written on the control context, read on any thread.
 */
public final class ControlStatus {
    private static final long TICK = CoordinatorVerticle.TICK;

    private final NodeParts parts;
    private final Liveness liveness;
    private final FoundingReport foundings;
    private volatile ClusterPicture picture = ClusterPicture.NOTHING;
    private volatile Belief belief = Belief.NOTHING;

    /** State of the control machine after its last event. */
    private record Belief(
            KnownMembers known,
            TermId term,
            @Nullable NodeId coordinator,
            boolean cutOff,
            boolean clusterStops,
            @Nullable String difference,
            @Nullable String deadlock,
            Dependents dependents) {
        static final Belief NOTHING =
                new Belief(KnownMembers.NONE, TermId.NONE, null, false, false, null, null, Dependents.NONE);

        static Belief of(NodeControl control) {
            return new Belief(
                    control.known(),
                    control.term(),
                    control.coordinator(),
                    control.isCutOff(),
                    control.isClusterStopping(),
                    control.difference(),
                    control.deadlock(),
                    control.dependents());
        }
    }

    ControlStatus(NodeParts parts) {
        this.parts = parts;
        this.liveness = new Liveness(parts.times().lease(), parts.clock()::awake);
        this.foundings = new FoundingReport(parts.self(), parts.membership().seats(), parts.clock()::now);
    }

    void viewChanged(ClusterView view) {
        picture = picture.with(view).permitted(picture.available() && view.available());
    }

    void attributesChanged(Map<NodeId, NodeAttributes> attributes) {
        picture = picture.with(attributes);
    }

    /** An event has been handled; the nodes whose messages are not believed any more. */
    Set<NodeId> publish(NodeControl control) {
        KnownMembers before = belief.known();
        belief = Belief.of(control);
        if (picture.available() != control.mayAct()) {
            picture = picture.permitted(control.mayAct());
        }
        return belief.known().forgottenSince(before);
    }

    void ticked() {
        liveness.ticked();
    }

    void look(NodeControl control) {
        foundings.look(control.election().misfit(), control.election().foundingWaits());
    }

    void ended() {
        liveness.ended();
    }

    /** The cluster as last seen. */
    public ClusterPicture picture() {
        return picture;
    }

    /** By how much the last tick of this node's control plane came late, in milliseconds. */
    public long loopLag() {
        return liveness.lag(TICK);
    }

    /** Whether messages of the node are believed here. */
    public boolean knows(NodeId node) {
        return belief.known().contains(node);
    }

    /** The highest term seen. */
    public long term() {
        return belief.term().number();
    }

    /** The node that reigns, as far as known. */
    public @Nullable NodeId coordinator() {
        return belief.coordinator();
    }

    /** The reason why this node is not ready though its side may act; null if nothing is in its way. */
    public @Nullable String misfit() {
        String difference = belief.difference();
        return difference == null
                ? null
                : "options that must be the same on all nodes differ from " + difference
                        + ": set the same, or stop all nodes to change them";
    }

    /** Whether this node could not confirm its term for a lease, and knows of no other that reigns since. */
    public boolean isCutOff() {
        return belief.cutOff();
    }

    /** Whether this node was told that the whole cluster will stop. */
    public boolean isClusterStopping() {
        return belief.clusterStops();
    }

    /** Whether this node is configured for other seats than the cluster. */
    public boolean isMisfit() {
        return foundings.misfit() != null;
    }

    /**
     * The reason why this node does not take part in a cluster, though no member is lost, for operators; null if there
     * is none.
     */
    public @Nullable String foundingComplaint() {
        return foundings.complaint();
    }

    /** The reasons why only a new start of this process helps it, for people; empty mostly. */
    public List<String> restartReasons() {
        return Stream.of(
                        belief.deadlock(),
                        liveness.blocked(),
                        parts.membership().end())
                .filter(Objects::nonNull)
                .toList();
    }

    /** The nodes that stop when this one leaves, as none of them may coordinate. */
    public Dependents dependents() {
        return belief.dependents();
    }
}
