package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.List;
import java.util.stream.Stream;

/**
 * Mistakes in the life of an entity: how it is passivated, remembered, and moved with what it knows; and in what
 * senders may send.
 */
final class LifeBugs {
    private static final String CELL = "entity/EntityCell.java";
    private static final String OWNER = "entity/EntityOwner.java";
    private static final String HOSTED = "hosting/HostedShard.java";
    private static final String ARRIVED = "hosting/ArrivedStates.java";
    private static final String OWN_SHARDS = "region/OwnShards.java";
    private static final String ROUTES = "routing/Routes.java";
    private static final String OUT = "routing/OutChannel.java";
    private static final String LANE_POLICY = "passivation/LanePassivation.java";
    private static final String SHARD_POLICY = "passivation/ShardPassivation.java";
    private static final String REMEMBERED_SHARD = "remember/RememberedShard.java";
    private static final String REMEMBERED_LANE = "remember/RememberedLane.java";
    private static final String CHANGES = "remember/PendingChanges.java";
    private static final String REMEMBERED = "coordinator/RememberedShards.java";
    private static final String STATE_TRANSFERS = "statetransfer/StateTransfers.java";
    private static final String STORE = "simulation/IdStore.java";

    private LifeBugs() {}

    static Stream<SeededBug> all() {
        return Stream.of(PASSIVATION, REMEMBERING, MOVES, PRESSURE).flatMap(List::stream);
    }

    private static final List<SeededBug> PASSIVATION = List.of(
            SeededBug.of(
                            "a message that comes while an entity stops is refused",
                            "passivation",
                            Family.PASSIVATING,
                            3,
                            13)
                    .in(CELL, "boolean wanted = waiting() > 0 && (", "boolean wanted = waiting() < 0 && ("),
            SeededBug.of(
                            "a message that comes while an entity stops is dropped",
                            "passivation",
                            Family.PASSIVATING,
                            1,
                            40)
                    .in(
                            CELL,
                            "} else if (mailbox().keep(envelope)) {",
                            "} else if (state != CellState.STOPPING && mailbox().keep(envelope)) {"),
            SeededBug.of("a message goes to the instance that stops", "passivation", Family.PASSIVATING, 1, 40)
                    .in(
                            CELL,
                            "isReady() && waiting() == 0 && !owner.isRunning() && ending == null",
                            "(state == CellState.STOPPING || isReady() && ending == null) && waiting() == 0"
                                    + " && !owner.isRunning()"),
            SeededBug.of(
                            "a message wakes an instance before the last one has ended",
                            "passivation",
                            Family.PASSIVATING,
                            1,
                            40)
                    .in(
                            "entity/CodeCalls.java",
                            "        if (cell.state() == CellState.ENDED) {",
                            "        if (cell.state() == CellState.ENDED || cell.state() == CellState.STOPPING) {"),
            SeededBug.of("an instance that ignores its stop is left alone", "passivation", Family.PASSIVATING, 1, 40)
                    .in(
                            CELL,
                            "} else if (reason != null && isLive()) {",
                            "} else if (reason != null && reason != StopReason.PASSIVATION && isLive()) {"),
            SeededBug.rare(
                            "a new instance is passivated as the last one was",
                            "passivation",
                            Family.EVERYTHING,
                            101,
                            1,
                            150)
                    .in(
                            CELL,
                            "        ending = null;\n",
                            "        ending = stopReason() == StopReason.PASSIVATION ? Ending.afterMessages(0) :"
                                    + " null;\n"),
            SeededBug.of(
                            "an entity that a message wakes does not count for the limit",
                            "passivation",
                            Family.PASSIVATING,
                            4,
                            19)
                    .in(
                            HOSTED,
                            "        passivation.started(cell.place(), lane.now());",
                            "        if (cell.waiting() == 0) {\n            passivation.started(cell.place(),"
                                    + " lane.now());\n        }"),
            SeededBug.of("who was passivated once is not counted again", "passivation", Family.PASSIVATING, 1, 34)
                    .in(
                            SHARD_POLICY,
                            "        victim.counted = false;\n        if (idle != null) {",
                            "        if (idle != null) {"),
            SeededBug.of("a limit that falls passivates no entity", "passivation", Family.PASSIVATING, 7, 9)
                    .in(LANE_POLICY, "if (present != share) {", "if (present > share) {"),
            SeededBug.of("the idle are looked for only once", "passivation", Family.PASSIVATING, 4, 10)
                    .in(LANE_POLICY, "nextCheck = now + idle.interval();", "nextCheck = Long.MAX_VALUE;"));

    private static final List<SeededBug> REMEMBERING = List.of(
            SeededBug.of("an entity starts before its id is stored", "remembering", Family.REMEMBERED, 1, 40)
                    .in(REMEMBERED_SHARD, "        return stored;", "        return true;")
                    .in(
                            REMEMBERED_SHARD,
                            "        if (!ids.is(cell.id(), IdState.ACTIVE)) {",
                            "        if (!ids.is(cell.id(), IdState.ACTIVE) && !ids.is(cell.id(), IdState.ADDING)) {"),
            SeededBug.of("a write of unknown outcome counts as stored", "remembering", Family.REMEMBERED, 2, 11)
                    .in(
                            REMEMBERED_LANE,
                            "answer(key, RememberedShard::failed);",
                            "answer(key, RememberedShard::stored);"),
            SeededBug.of("an id is forgotten when its entity begins to stop", "remembering", Family.REMEMBERED, 1, 40)
                    .in(
                            OWNER,
                            "    int mailboxSize();",
                            "    default void stopping(EntityCell cell) {}\n\n    int mailboxSize();")
                    .in(
                            CELL,
                            "        state = CellState.STOPPING;\n",
                            "        state = CellState.STOPPING;\n        if (reason == StopReason.PASSIVATION) {\n"
                                    + "            owner.stopping(this);\n        }\n")
                    .in(
                            HOSTED,
                            "    @Override\n    public int mailboxSize() {",
                            "    @Override\n    public void stopping(EntityCell cell) {\n      "
                                    + "  if (memory != null) {\n"
                                    + "            memory.ended(cell.id(), true);\n        }\n    }\n\n"
                                    + "    @Override\n    public int mailboxSize() {"),
            SeededBug.of(
                            "a removal that the store may have heard of is taken back",
                            "remembering",
                            Family.REMEMBERED,
                            2,
                            8)
                    .in(CHANGES, " && !underWay.containsKey(id) && !unsure.contains(id);", ";"),
            SeededBug.of("a removal of unknown outcome is taken back", "remembering", Family.REMEMBERED, 2, 8)
                    .in(CHANGES, " && !unsure.contains(id);", ";"),
            SeededBug.of("a write of unknown outcome is not repeated", "remembering", Family.REMEMBERED, 6, 9)
                    .in(CHANGES, "            next.putIfAbsent(id, added);\n", ""),
            SeededBug.of("a repeated write overrides what was said since", "remembering", Family.REMEMBERED, 6, 10)
                    .in(CHANGES, "next.putIfAbsent(id, added);", "next.put(id, added);"),
            SeededBug.of("a write settles ids on which there is a later word", "remembering", Family.REMEMBERED, 1, 40)
                    .in(CHANGES, "if (!next.containsKey(id)) {", "if (!id.isEmpty()) {"),
            SeededBug.of(
                            "remembered entities wait for a message at their new home",
                            "remembering",
                            Family.REMEMBERED,
                            1,
                            31)
                    .in(
                            REMEMBERED_SHARD,
                            "            (here ? toStart : toMove).add(id);",
                            "            if (!here) {\n                toMove.add(id);\n            }"),
            SeededBug.of(
                            "a shard with remembered entities waits for a message",
                            "remembering",
                            Family.REMEMBERED,
                            1,
                            29)
                    .in(
                            REMEMBERED,
                            "                placement.want(shard, requester);",
                            "                nextTry = now;"),
            SeededBug.of("an entity that stopped by itself stays away", "remembering", Family.REMEMBERED, 4, 11)
                    .in(REMEMBERED_SHARD, "            restarts.stopped(id, shard.now());\n", ""),
            SeededBug.of("messages that the store held up stay where they are", "remembering", Family.REMEMBERED, 1, 23)
                    .in(
                            REMEMBERED_SHARD,
                            "            if (cell != null) {\n                cell.start(StartReason.MESSAGE);",
                            "            if (cell != null && cell.waiting() == 0) {\n               "
                                    + " cell.start(StartReason.MESSAGE);"),
            SeededBug.uncaught("a home goes on when the store has seen a newer one", "remembering", Family.REMEMBERED)
                    .in(REMEMBERED_SHARD, "        superseded = true;\n", ""),
            SeededBug.rare("the store does not look at tokens", "remembering", Family.REMEMBERED, 9, 31, 400)
                    .in(STORE, "if (content.token.isNewerThan(key.token())) {", "if (content.operation < 0) {"),
            SeededBug.of("a write takes hold after one that was begun later", "remembering", Family.REMEMBERED, 2, 3)
                    .in(
                            STORE,
                            "boolean overtaken = content.token.equals(key.token()) &&"
                                    + " key.operation() < content.operation;",
                            "boolean overtaken = false;"));

    private static final List<SeededBug> MOVES = List.of(
            SeededBug.of("a state is given to a second instance as well", "live moves", Family.PLANNED_MOVES, 1, 40)
                    .in(
                            ARRIVED,
                            "EntityState state = byEntity.remove(entityId);",
                            "EntityState state = byEntity.get(entityId);"),
            SeededBug.of("what was given to the next home is kept", "live moves", Family.PLANNED_MOVES, 1, 40)
                    .in(
                            STATE_TRANSFERS,
                            "        shelf.remove(shard);\n        return present.states;",
                            "        return present.states;"),
            SeededBug.uncaught("states of an earlier life are given", "live moves", Family.RETURNS)
                    .in(
                            STATE_TRANSFERS,
                            "if (present == null || !present.token.equals(token) || present.until == Long.MAX_VALUE) {",
                            "if (present == null || present.until == Long.MAX_VALUE) {"),
            SeededBug.uncaught("states that were fetched for an earlier order are taken", "live moves", Family.RETURNS)
                    .in(
                            STATE_TRANSFERS,
                            "!arrival.complete || !arrival.token.equals(token)) {",
                            "!arrival.complete) {"),
            SeededBug.of("a state comes after the first message", "live moves", Family.PLANNED_MOVES, 1, 40)
                    .in(
                            OWN_SHARDS,
                            "FetchStates(order.shard(), order.token(), former));\n        }\n        return false;",
                            "FetchStates(order.shard(), order.token(), former));\n        }\n        return true;"),
            SeededBug.of("entities that have moved wait for a message", "live moves", Family.PLANNED_MOVES, 1, 26)
                    .in(HOSTED, "            start(id, StartReason.MOVED);\n", ""),
            SeededBug.rare(
                            "a state that was not fetched does not move on",
                            "live moves",
                            Family.PLANNED_MOVES,
                            18,
                            1,
                            100)
                    .in(ARRIVED, "                transfers.give(shard, token, state);\n", ""),
            SeededBug.of("a stop that has begun is taken back", "live moves", Family.SLOW_MOVES, 4, 22)
                    .in(
                            HOSTED,
                            "        if (!accepts()) {\n            return false;\n        }\n        if (handoff",
                            "        if (phase == Phase.STOPPED) {\n            return false;\n     "
                                    + "   }\n        if (handoff"),
            SeededBug.uncaught("states that are not asked for are kept for ever", "live moves", Family.PLANNED_MOVES)
                    .in(
                            STATE_TRANSFERS,
                            "            if (now >= entry.getValue().until) {",
                            "            if (now < 0) {"),
            SeededBug.uncaught("states are taken when the wait for them is over", "live moves", Family.RETURNS)
                    .in(STATE_TRANSFERS, "arrival == null || arrival.complete ||", "arrival == null ||"));

    private static final List<SeededBug> PRESSURE = List.of(
            SeededBug.of("what a home has answered still counts against it", "backpressure", Family.EVERYTHING, 1, 40)
                    .in(OUT, "unanswered -= sent.items().size();\n            answeredUpTo", "answeredUpTo"),
            SeededBug.of(
                            "what was under way to a lost node still counts against it",
                            "backpressure",
                            Family.EVERYTHING,
                            2,
                            12)
                    .in(OUT, "        unanswered = 0;\n", ""),
            SeededBug.of("a slow home may have all of the buffer and more", "backpressure", Family.EVERYTHING, 2, 21)
                    .in(ROUTES, "load >= 3 * (settings.bufferSize() - buffered)) {", "load < 0) {"),
            SeededBug.of("what was lost on the way still takes room", "backpressure", Family.EVERYTHING, 1, 36)
                    .in(
                            ROUTES,
                            "        for (Envelope envelope : lost) {\n            buffered--;\n",
                            "        for (Envelope envelope : lost) {\n"),
            SeededBug.of("senders do not hear that there is room again", "backpressure", Family.EVERYTHING, 1, 34)
                    .in(ROUTES, "            known().forEach(this::tellIfFull);\n", ""));
}
