package io.shardbus.model;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An entity type in the whole cluster: the coordinator's table and the regions' reports of their shards.
 *
 * @param failed the regions that did not answer in time: their shards have no count
 * @param statesLost how many entities began without the state that they had before a move: the sum of the {@code
 *     handover_} counters of all regions, except {@code handover_taken}; includes regions that have left, also
 *     under an earlier coordinator
 */
public record TypeState(
        String type,
        int numberOfShards,
        List<Shard> shards,
        List<Region> regions,
        List<Handoff> handoffs,
        Set<NodeId> failed,
        long statesLost) {
    /** One line for people: how many shards have a home, and how many of the regions answered. */
    public String summary() {
        long entities = shards.stream()
                .map(Shard::entities)
                .filter(Objects::nonNull)
                .mapToLong(Integer::intValue)
                .sum();
        long uncounted =
                shards.stream().filter(shard -> shard.entities() == null).count();
        return "type " + type + ": " + shards.size() + " of "
                + (numberOfShards == 1 ? "1 shard" : numberOfShards + " shards")
                + (shards.size() == 1 ? " has" : " have") + " a home, "
                + (entities == 1 ? "1 entity" : entities + " entities") + " in " + (shards.size() - uncounted)
                + " of them; " + (regions.size() - failed.size())
                + " of " + (regions.size() == 1 ? "1 region" : regions.size() + " regions") + " answered"
                + (failed.isEmpty() ? "" : ", not: " + failed);
    }

    /** Status of a shard at its home. */
    public enum ShardStatus {
        /** Given to a home that has not confirmed yet. */
        STARTING,
        /** At home. */
        ACTIVE,
        /** Leaving its home in good order. */
        HANDOFF
    }

    /**
     * A shard that has a home.
     *
     * @param entities live instances; null when the home did not answer, as are the other counts
     * @param passivated instances that were passivated since the shard came to this home, by the
     *     strategy or at their own request
     * @param remembered remembered entities, which start without a message
     * @param restarting remembered entities that stopped without a passivation and wait for their back-off
     * @param messages how many messages the shard has got at this home
     * @param busyMicros microseconds for which its entities have had messages in hand at this home, each from its
     *     take-up until its future completed; summed over the messages that have ended, those of timers included, so
     *     that it grows by more than a second in a second where several are in hand at once. An estimate: each message
     *     of 10 ms or more counts, and of shorter ones those that are measured ({@code latencySampling}), for all of
     *     them. Null also where nothing is measured, and at a home of an earlier build
     */
    public record Shard(
            int shard,
            NodeId home,
            FencingToken token,
            ShardStatus status,
            @Nullable Integer entities,
            @Nullable Integer passivated,
            @Nullable Integer remembered,
            @Nullable Integer restarting,
            @Nullable Long messages,
            @Nullable Long busyMicros) {}

    /** A region or proxy that is registered. */
    public record Region(
            NodeId node,
            boolean proxy,
            boolean leaving,
            int shards,
            int entities,
            int buffered,
            Map<String, Long> counters) {
        /**
         * Number of instances that were passivated since the region started, by the strategy or at their own request.
         */
        public long passivated() {
            return counters.getOrDefault("passivated", 0L);
        }

        /** Number of remembered entities, whether live or not. */
        public long remembered() {
            return counters.getOrDefault("remembered", 0L);
        }

        /** Number of remembered entities that stopped without a passivation and wait for their back-off. */
        public long restarting() {
            return counters.getOrDefault("restarting", 0L);
        }
    }

    /** A handoff that is going on. */
    public record Handoff(int shard, NodeId from, FencingToken version, long ageMs) {}
}
