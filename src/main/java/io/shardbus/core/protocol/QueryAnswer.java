package io.shardbus.core.protocol;

import io.shardbus.model.ClusterEvent;
import io.shardbus.model.ConnectionReport;
import io.shardbus.model.DeadLetter;
import io.shardbus.model.EntityReport;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.LatencyReport;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import io.shardbus.model.NodeStatus;
import io.shardbus.model.ShardMove;
import io.shardbus.model.ShardReasons;
import io.shardbus.model.ShardSilence;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a {@link Query}. A node of an earlier build may say less: what it does not say is 0, false or empty.
 */
public sealed interface QueryAnswer {
    /** The answer of a shard's home. */
    sealed interface FromHome extends QueryAnswer {
        /** Whether the region does not have the shard. */
        boolean elsewhere();
    }

    /**
     * A shard in the coordinator's table.
     *
     * @param confirmed whether its home runs it
     * @param handoff the version of the handoff under way; null if there is none
     * @param handoffAge how long that has been under way, in milliseconds
     */
    record Shard(
            int shard,
            NodeId home,
            FencingToken token,
            boolean confirmed,
            @Nullable FencingToken handoff,
            long handoffAge) {}

    /**
     * A region in the coordinator's table.
     *
     * @param gone whether its node is not there any more, while its lease may still hold
     */
    record RegionRow(NodeId node, boolean proxy, boolean leaving, boolean gone, int shards) {}

    /** @param numberOfShards 0 where the coordinator does not know the type */
    record Table(List<Shard> shards, List<RegionRow> regions, int numberOfShards, long statesLost)
            implements QueryAnswer {
        /** Of a type that the coordinator does not know. */
        public static final Table EMPTY = new Table(List.of(), List.of(), 0, 0);

        public Table {
            shards = List.copyOf(shards);
            regions = List.copyOf(regions);
        }
    }

    /**
     * @param numberOfShards 0 where the coordinator does not know the type
     * @param shard empty where the shard has no home
     * @param allocation the strategy that places the type's shards: a name of the option, or a class; empty where the
     *     coordinator does not know the type, or runs an earlier build
     */
    record Home(int numberOfShards, Optional<Shard> shard, String allocation) implements QueryAnswer {
        public static final Home UNKNOWN = new Home(0, Optional.empty(), "");
    }

    /**
     * @param missing how many hosting regions are still to come before shards get homes
     * @param opensInMs how long leases of an earlier coordinator may last at most, in milliseconds; 0 where it is open,
     *     and where this is not known, as with an earlier build
     */
    record Open(boolean open, int missing, long opensInMs) implements QueryAnswer {
        public static final Open CLOSED = new Open(false, 0, 0);
    }

    /**
     * @param handoffs how many shards begin to move, or are to
     * @param unknown whether the coordinator does not know the type
     */
    record Handoffs(int handoffs, boolean unknown) implements QueryAnswer {
        public static final Handoffs OF_UNKNOWN_TYPE = new Handoffs(0, true);

        public Handoffs(int handoffs) {
            this(handoffs, false);
        }
    }

    record Nodes(Collection<NodeId> nodes) implements QueryAnswer {
        public Nodes {
            nodes = List.copyOf(nodes);
        }
    }

    record Done() implements QueryAnswer {}

    /**
     * An announcement of a shutdown was heard.
     *
     * @param outdatedBy the number of the later announcement to which the member keeps; 0 if it follows this one
     */
    record Announced(long outdatedBy) implements QueryAnswer {
        public static final Announced FOLLOWED = new Announced(0);
    }

    /**
     * @param events oldest first
     * @param last the number of the last event that the node has recorded
     */
    record Events(List<ClusterEvent> events, long last) implements QueryAnswer {
        public Events {
            events = List.copyOf(events);
        }
    }

    /**
     * A type as its coordinator knows it.
     *
     * @param homeless how many shards are wanted and have no home
     * @param allocation the strategy that places the shards: a name of the option, or a class
     * @param paused whether no round of rebalancing begins by itself
     */
    record Type(
            String name,
            Table table,
            List<ShardMove> moves,
            int homeless,
            String allocation,
            boolean paused,
            Map<Integer, NodeId> pins,
            Set<NodeId> cordoned) {
        public Type {
            moves = List.copyOf(moves);
            pins = Map.copyOf(pins);
            cordoned = Set.copyOf(cordoned);
        }
    }

    record Types(List<Type> types) implements QueryAnswer {
        public Types {
            types = List.copyOf(types);
        }
    }

    /** @param refusal why the order cannot be carried out; empty if it is */
    record Ordered(String refusal) implements QueryAnswer {}

    record Plan(MovePlan plan) implements QueryAnswer {}

    record Why(ShardReasons reasons) implements QueryAnswer {}

    /** @param types by name */
    record Latency(Map<String, LatencyReport.OfType> types) implements QueryAnswer {
        public Latency {
            types = Map.copyOf(types);
        }
    }

    record Connections(ConnectionReport.OfNode node) implements QueryAnswer {}

    /** @param letters the latest first */
    record DeadLetters(List<DeadLetter> letters) implements QueryAnswer {
        public DeadLetters {
            letters = List.copyOf(letters);
        }
    }

    /** @param silences the latest first */
    record Silences(List<ShardSilence> silences) implements QueryAnswer {
        public Silences {
            silences = List.copyOf(silences);
        }
    }

    /** @param regions by type */
    record Status(NodeStatus node, Map<String, Region> regions) implements QueryAnswer {
        public Status {
            regions = Map.copyOf(regions);
        }
    }

    /** @param lanes how many lanes the region of the node has; 0 where there is none */
    record Lanes(int lanes) implements QueryAnswer {}

    /**
     * Counts of a region for one shard: entities of each kind, messages that it was given, and its busy time.
     *
     * @param busyMicros microseconds; -1 if not known
     */
    record ShardCount(
            int shard, int entities, int remembered, int restarting, long passivated, long messages, long busyMicros) {}

    /** @param holdUps what the shards wait for that are to leave, by their number; not all of them if they are many */
    record Region(
            boolean proxy,
            List<ShardCount> shards,
            int buffered,
            Map<String, Long> counters,
            Map<Integer, HoldUp> holdUps)
            implements QueryAnswer {
        public Region {
            shards = List.copyOf(shards);
            counters = Map.copyOf(counters);
            holdUps = Map.copyOf(holdUps);
        }
    }

    record Ids(Set<String> ids, boolean elsewhere) implements FromHome {}

    record Live(boolean live, boolean elsewhere) implements FromHome {}

    /**
     * Report of an entity.
     *
     * @param instance null for none
     */
    record Found(EntityReport.@Nullable Instance instance, boolean remembered, boolean elsewhere) implements FromHome {
        /** The same without what the entity knows or has said. */
        public Found withoutState() {
            return instance == null ? this : new Found(instance.withoutState(), remembered, elsewhere);
        }
    }

    /**
     * The state of an entity.
     *
     * @param json the state as the text of a JSON object; null if there is a refusal
     * @param failure why there is none; null if there is one
     * @param text the failure in words
     */
    record State(@Nullable String json, @Nullable FailureCode failure, String text, boolean elsewhere)
            implements FromHome {
        /** Of a home that shows none. */
        public static final State HIDDEN = new State(
                null,
                FailureCode.NOT_APPLICABLE,
                "its home shows no states: see ShardingOptions.setStateInspection",
                false);
    }

    /** @param refusal why the order cannot be carried out; empty if it is */
    record Treated(String refusal, boolean elsewhere) implements FromHome {}

    /**
     * @param failure why what is stored did not end, or perhaps did not; null if it did
     * @param text the failure in words
     */
    record Erased(@Nullable FailureCode failure, String text, boolean elsewhere) implements FromHome {}
}
