package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.List;

/** Mistakes of stores, of the commits of a lane, and of persistent entities. */
final class StoreBugs {
    private static final String STORE = "main/store/memory/MemoryLogs.java";
    private static final String WAY = "simulation/stored/SimulatedConnection.java";
    private static final String WRITER = "persistence/LogWriter.java";
    private static final String WINDOW = "persistence/CommitWindow.java";
    private static final String QUEUE = "persistence/CommitQueue.java";
    private static final String STORED = "main/runtime/persistence/StoredEntity.java";
    private static final String CALLS = "main/runtime/entity/UserCalls.java";
    private static final String SOURCED = "main/runtime/persistence/SourcedEntity.java";

    private StoreBugs() {}

    static final List<SeededBug> ALL = List.of(
            SeededBug.of("a store does not compare the fence of an append", "fence", Family.STORED, 1, 23)
                    .in(STORE, "                .filter(append -> holds(append.fence()))\n", ""),
            SeededBug.of("a store opens a log for an older token", "fence", Family.STORED, 1, 40)
                    .in(STORE, "if (log.token.isNewerThan(opening.token())) {", "if (log.opening < 0) {"),
            SeededBug.of("a store opens a log once for each token", "fence", Family.STORED, 1, 40)
                    .in(
                            STORE,
                            "if (log.token.isNewerThan(opening.token())) {",
                            "if (log.token.isNewerThan(opening.token()) || log.token.equals(opening.token())) {"),
            SeededBug.uncaught("a store does not compare the opening", "fence", Family.STORED)
                    .in(STORE, " && log.opening == fence.opening();", ";"),
            SeededBug.of("a store does not compare the end of a log", "fence", Family.STORED, 1, 36)
                    .in(
                            STORE,
                            "                .filter(append -> !atEnd || log(append.fence()).end == append.end())\n",
                            ""),
            SeededBug.of("the end of a log is read before its raise takes effect", "fence", Family.STORED, 3, 3)
                    .in(
                            WAY,
                            "            List<OpenedLog> raised = raise(openings);\n"
                                    + "            store.after(store.below(3),"
                                    + " () -> ended.accept(Future.succeededFuture(withEnds(openings, raised))));\n",
                            "            java.util.Map<Integer, Long> ends = new java.util.HashMap<>();\n"
                                    + "            for (int log = 1; log < 10; log++) {\n"
                                    + "                ends.put(log, store.end(1, log));\n"
                                    + "            }\n"
                                    + "            store.after(store.below(3), () -> {\n"
                                    + "                List<OpenedLog> late = new ArrayList<>();\n"
                                    + "                for (OpenedLog opened : raise(openings)) {\n"
                                    + "                    late.add(opened instanceof OpenedLog.Open open\n"
                                    + "                            ? new OpenedLog.Open(open.log(), open.opening(),"
                                    + " ends.get(open.log()))\n"
                                    + "                            : opened);\n"
                                    + "                }\n"
                                    + "                ended.accept(Future.succeededFuture(late));\n"
                                    + "            });\n"),
            SeededBug.of("what was sent counts as stored when its log opens again", "outcome", Family.STORED, 1, 40)
                    .in(WRITER, "if (commit.last <= foundEnd) {", "if (commit.last > 0) {"),
            SeededBug.of("what was sent counts as not stored when its log opens again", "outcome", Family.STORED, 1, 32)
                    .in(WRITER, "if (commit.last <= foundEnd) {", "if (commit.last < 0) {"),
            SeededBug.of("an unknown outcome fails as not stored", "outcome", Family.STORED, 6, 7)
                    .in(WRITER, "commit.rows().isEmpty() ? code : FailureCode.OUTCOME_UNKNOWN", "code"),
            SeededBug.of("a part that the store has refused counts as stored", "outcome", Family.STORED, 1, 39)
                    .in(QUEUE, "            if (logs.contains(part.log())) {", "            if (part.log() > 0) {"),
            SeededBug.uncaught("an entity goes on with its state when a commit has failed", "recovery", Family.STORED)
                    .in(
                            STORED,
                            "        if (isCurrent && !isBroken() && generations",
                            "        if ((isCurrent || isBroken()) && generations"),
            SeededBug.uncaught("an instance that was ended by force stores", "recovery", Family.STORED)
                    .in(
                            STORED,
                            "            if (isGone) {\n                answer.fail(gone());\n                return;\n"
                                    + "            }\n            state = next;",
                            "            state = next;"),
            SeededBug.of("a command is answered before its events are stored", "outcome", Family.STORED, 1, 40)
                    .in(
                            STORED,
                            "next, answer -> new Step(marked, !rows.isEmpty(), answer));",
                            "next, answer -> {\n"
                                    + "            answer.tryComplete(marked.decided().answer(next));\n"
                                    + "            return new Step(marked, !rows.isEmpty(), answer);\n        });")
                    .in(
                            STORED,
                            "answer.fail(new CodedFailure(repeats ? FailureCode.OUTCOME_UNKNOWN : code, reason));",
                            "answer.tryFail(reason);")
                    .in(
                            STORED,
                            "            answer.complete(decided.answer(reached));",
                            "            answer.tryComplete();"),
            SeededBug.of("a read that is to be confirmed is answered under the lease", "confirmed", Family.STORED, 2, 6)
                    .in(STORED, "        return isConfirmed ? commit(", "        return isGone ? commit("),
            SeededBug.of("a store takes any log without rows for the home's", "confirmed", Family.STORED, 7, 3)
                    .in(
                            STORE,
                            "                .filter(append -> holds(append.fence()))\n",
                            "                .filter(append -> append.rows().isEmpty() || holds(append.fence()))\n"),
            SeededBug.rare("a failure is not passed down the window", "window", Family.STORED, 1, 9, 12)
                    .in(
                            WINDOW,
                            "        if (broken == null) {\n            broken =",
                            "        if (code == null) {\n            broken ="),
            SeededBug.rare("a read does not wait for what is under way", "window", Family.STORED, 1, 9, 12)
                    .in(STORED, "        if (isIdle() && !isBroken() && isPlain) {", "        if (isPlain) {"),
            SeededBug.of("an answer waits on its lane behind a later command", "window", Family.STORED, 1, 26)
                    .in(CALLS, "lane.executeNow(", "lane.execute("),
            SeededBug.of("a command that an action sends is answered before its cause", "window", Family.STORED, 1, 25)
                    .in(WINDOW, "return entries == 0 && !isTelling;", "return entries == 0;"),
            SeededBug.rare("a command that is under way is executed again", "window", Family.STORED, 156, 5, 400)
                    .in(STORED, "TakenCommands known = takenAhead();", "TakenCommands known = taken;"),
            SeededBug.rare("a snapshot has the state of what is under way", "snapshots", Family.STORED, 1, 9, 12)
                    .in(SOURCED, "codec.encode(reached), ", "codec.encode(state), "),
            SeededBug.rare("a snapshot has the commands that are under way", "window", Family.STORED, 6, 2, 12)
                    .in(STORED, "                noteIn(taken);\n", "")
                    .in(
                            STORED,
                            "            step.noteIn(takenAhead);\n            if (",
                            "            step.noteIn(taken);\n            if ("),
            SeededBug.of("an identified command is not stored with its events", "window", Family.STORED, 1, 38)
                    .in(SOURCED, "        rows.add(with(rows.remove(rows.size() - 1), command));\n", ""),
            SeededBug.of("a snapshot has no identified commands", "window", Family.STORED, 1, 40)
                    .in(SOURCED, "codec.encode(reached), taken.whole());", "codec.encode(reached), null);"),
            SeededBug.of("a tombstone has no identified commands", "window", Family.STORED, 1, 29)
                    .in(SOURCED, "null, commands, Set.of());", "null, null, Set.of());"),
            SeededBug.of("a snapshot is ahead of its state", "snapshots", Family.STORED, 1, 40)
                    .in(SOURCED, "row = new SnapshotRow(id, at, ", "row = new SnapshotRow(id, at + 1, "),
            SeededBug.of("events are deleted before their snapshot is stored", "snapshots", Family.STORED, 1, 12)
                    .in(
                            SOURCED,
                            "        isSnapshotUnderWay = true;\n",
                            "        isSnapshotUnderWay = true;\n"
                                    + "        if (type.retention() instanceof Retention.AfterSnapshots early) {\n"
                                    + "            delete(at - early.keep(), false);\n        }\n"),
            SeededBug.of("recovery goes on one event late behind a snapshot", "snapshots", Family.STORED, 1, 40)
                    .in(
                            STORE,
                            "snapshot == null ? 0 : snapshot.sequence(), limit + 1",
                            "snapshot == null ? 0 : snapshot.sequence() + 1, limit + 1"),
            SeededBug.uncaught("an erasure that finds no events is not confirmed", "erasure", Family.ERASED)
                    .in(STORED, "return unstored(decided, true);", "return unstored(decided, false);"),
            SeededBug.of("an erased entity keeps its events", "erasure", Family.ERASED, 1, 40)
                    .in(STORED, "if (number == 0) {", "if (number >= 0) {"),
            SeededBug.of("an erasure forgets the ids of commands", "erasure", Family.ERASED, 1, 40)
                    .in(
                            "persistence/DedupWindow.java",
                            "known.forEach(each -> add(new Executed(each.key(), each.createdAt(),"
                                    + " each.fingerprint(), null)));",
                            "known.clear();"));
}
