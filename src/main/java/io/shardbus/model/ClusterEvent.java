package io.shardbus.model;

import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Something that happened in the cluster, as one node saw it. Several nodes see the same join or loss: their events
 * have the same {@link #subject}.
 *
 * @param node the node that recorded it
 * @param id counts the events of that node's process from 1, without gaps
 * @param at when it was recorded, in milliseconds since 1970 by that node's clock; not earlier than the event before it
 * @param subject the node, the type or the shard of the event; the same on all nodes
 * @param details by name: texts, numbers ({@link Long}) and booleans; later builds only add names to a kind
 */
public record ClusterEvent(NodeId node, long id, long at, Kind kind, String subject, Map<String, Object> details) {
    /** Kind of the event. Later builds only add constants. */
    public enum Kind {
        /** A node is a member now. */
        NODE_JOINED,
        /** A node has left in good order. */
        NODE_LEFT,
        /** A node is out of the view without a goodbye: it crashed, is frozen, or is cut off. */
        NODE_LOST,
        /** The process of a lost node is proven to be gone. */
        NODE_DEAD,
        /** The recording node coordinates from now on; details: term. */
        TERM_BEGAN,
        /** The recording node does not coordinate any more; details: term, reason. */
        TERM_ENDED,
        /** The recording node follows another coordinator, which is the subject; details: term. */
        TERM_FOLLOWED,
        /** Recorded by earlier builds in place of {@link #LOSS_UNDECIDED}. */
        SPLIT_UNDECIDED,
        /** Recorded by earlier builds in place of {@link #LOSS_WENT_ON}. */
        SPLIT_WENT_ON,
        /** The recording node's side has stopped; details: lost, reason. */
        SPLIT_STOPPED,
        /** Members that were lost are back, and none is lost any more. */
        SPLIT_ENDED,
        /**
         * Members are lost: they crashed, or the cluster is split. It is not yet decided which side goes on, or no
         * decision is needed; details: lost.
         */
        LOSS_UNDECIDED,
        /** The lost members are proven to have ended, as after a crash: there was no split; details: lost. */
        LOSS_SETTLED,
        /**
         * The recording node's side goes on without the lost members, of which it is not proven whether they crashed or
         * are cut off; details: lost, reason.
         */
        LOSS_WENT_ON,
        /**
         * A shard runs at a home, and the coordinator knew of no home before: it was never used, or its home was lost
         * with the coordinator before; details: type, shard, to, durationMs from the choice of the home until it ran
         * the shard, and term and sequence of its {@link FencingToken}.
         */
        SHARD_PLACED,
        /**
         * A shard has moved; details: type, shard, cause, from, to, forced, durationMs, homelessMs, and term and
         * sequence of the {@link FencingToken} under which its new home has it.
         */
        SHARD_MOVED,
        /**
         * A shard was to move and stayed; details: type, shard, cause, from, durationMs, term, sequence. With what held
         * it up if that is known: entity and entityMs (see {@link HoldUp}), undrained (names of nodes).
         */
        SHARD_STAYED,
        /** A coordinator's note to operators, as in its log; details: type, term, text, warning. */
        NOTE,
        /**
         * An operator's action has ended; details: action, user if known, the parameters of the action, outcome ({@code
         * done}, {@code refused}, or {@code unknown} if it may have been carried out), reason if not done.
         */
        ACTION,
        /** A kind that a later build has added. */
        UNKNOWN;

        /** In lower case with hyphens, as JSON has it. */
        public String text() {
            return ClusterEvent.text(this);
        }

        /** The kind of a text; {@link #UNKNOWN} for one of a later build. */
        public static Kind of(String text) {
            for (Kind kind : values()) {
                if (kind.text().equals(text)) {
                    return kind;
                }
            }
            return UNKNOWN;
        }
    }

    /** The name of a constant in lower case with hyphens, as JSON has it. */
    public static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public ClusterEvent {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(subject, "subject");
        details = Collections.unmodifiableMap(new TreeMap<>(details));
    }
}
