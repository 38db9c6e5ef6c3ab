package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.List;

/** Mistakes of what follows from stored events: projections, reactions and numbered deliveries. */
final class FollowBugs {
    private static final int SEEDS = 12;
    private static final String REACTION = "main/delivery/Reaction.java";

    private FollowBugs() {}

    static final List<SeededBug> ALL = List.of(
            bug("a projection moves its offset before its batch is handled", "projection", 1, 12)
                    .in(
                            "main/projection/ProjectionWorker.java",
                            "Future<Boolean> moving = handled.compose(",
                            "Future<Boolean> moving = Future.succeededFuture().compose("),
            bug("events are deleted that a projection has not read", "projection", 1, 12)
                    .in(
                            "main/store/memory/MemoryLogs.java",
                            "if (offsets.isUnread(ofType, log.number, oldest.position())) {",
                            "if (log.number < 0) {"),
            bug("a reaction moves its offset behind commands that are not taken", "reaction", 8, 2)
                    .in(
                            REACTION,
                            "                if (settled.failed()) {",
                            "                if (settled.failed() && after < 0) {"),
            bug("a command that was refused is not parked", "reaction", 1, 12)
                    .in(
                            REACTION,
                            "        return place.offsets().park(batch.projection(), Parked.of(batch.log(),"
                                    + " place.position(), reason));",
                            "        return Future.succeededFuture(Parked.of(batch.log(), place.position(), reason));"),
            bug("a delivery is confirmed before it is stored", "delivery", 1, 12)
                    .in(
                            "main/runtime/persistence/StoredEntity.java",
                            "        current = command;\n        return decide(message);",
                            "        current = command;\n        if (command.isNotedWithoutEffect()) {\n"
                                    + "            decide(message);\n            return Future.succeededFuture();\n"
                                    + "        }\n        return decide(message);"),
            bug("a delivery overtakes the one ahead of it", "delivery", 1, 12)
                    .in("persistence/DeliveryWindow.java", "if (previous > highest) {", "if (previous < 0) {"),
            bug("a new instance does not know the deliveries of the last one", "delivery", 1, 12)
                    .in(
                            "main/runtime/persistence/TakenCommands.java",
                            "            next.deliveries().take(delivered.text(PRODUCER), delivered.number(NUMBER));\n",
                            "            delivered.number(NUMBER);\n"));

    private static SeededBug bug(String name, String rule, int first, int caught) {
        return SeededBug.rare(name, rule, Family.FOLLOWED, first, caught, SEEDS);
    }
}
