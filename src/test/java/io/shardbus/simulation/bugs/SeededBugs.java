package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.List;
import java.util.stream.Stream;

/** The mistakes, by the rules of the protocol that they break. */
final class SeededBugs {
    private static final String ELECTION = "control/Election.java";
    private static final String KNOWN_RECORD = "control/KnownRecord.java";
    private static final String HEARD_TERMS = "control/HeardTerms.java";
    private static final String AUTHORITY = "coordinator/Authority.java";
    private static final String HOLDERS = "control/LeaseHolders.java";
    private static final String COORDINATOR = "coordinator/Coordinator.java";
    private static final String REGISTRATIONS = "coordinator/Registrations.java";
    private static final String HANDOFFS = "coordinator/Handoffs.java";
    private static final String TABLE = "coordinator/ShardTable.java";
    private static final String REGION = "region/Region.java";
    private static final String OWN_SHARDS = "region/OwnShards.java";
    private static final String HOSTED = "hosting/HostedShard.java";
    private static final String HOSTED_SHARDS = "hosting/HostedShards.java";
    private static final String LANE = "routing/Lane.java";
    private static final String OUT = "routing/OutChannel.java";
    private static final String IN = "routing/InChannel.java";
    private static final String ROUTE = "routing/Route.java";
    private static final String ROUTES = "routing/Routes.java";
    private static final String CELL = "entity/EntityCell.java";

    private SeededBugs() {}

    static Stream<SeededBug> caught() {
        return all().filter(bug -> bug.isCaught());
    }

    /** Those that another rule makes harmless. */
    static Stream<SeededBug> fencedTwice() {
        return all().filter(bug -> !bug.isCaught());
    }

    private static Stream<SeededBug> all() {
        return Stream.concat(
                Stream.of(
                                TERM,
                                COORDINATION,
                                REGIONS,
                                HANDOFF,
                                MESSAGES,
                                RestartBugs.ALL,
                                ControlBugs.ALL,
                                ClockBugs.ALL,
                                SplitBugs.ALL,
                                FoundingBugs.ALL,
                                TypeBugs.ALL,
                                OrderBugs.ALL,
                                LeaseBugs.ALL,
                                FarewellBugs.ALL,
                                StoreBugs.ALL,
                                FollowBugs.ALL,
                                ReminderBugs.ALL,
                                StateBugs.ALL)
                        .flatMap(List::stream),
                LifeBugs.all());
    }

    static final List<SeededBug> TERM = List.of(
            SeededBug.of("a term does not rise over its predecessor", "1", Family.COORDINATOR_CHANGES, 3, 12)
                    .in(
                            ELECTION,
                            "outdated ? firstTerm(now) : floor.next(before, known.unchangedFor(now), false, now);",
                            "1;"),
            SeededBug.rare("a write of unknown outcome gives authority", "2", Family.COORDINATOR_CHANGES, 175, 4, 300)
                    .in(ELECTION, "if (outcome == Outcome.WRITTEN && ", "if (outcome != Outcome.UNEQUAL && "),
            SeededBug.rare("reading one's own record gives authority", "2", Family.LATE_WORDS, 4, 12, 120)
                    .in(
                            ELECTION,
                            "            claim.goOnFrom(found);",
                            "            claim.goOnFrom(found);\n            claim.tookHold(operation.sent());\n"
                                    + "            confirmed();"),
            SeededBug.rare("authority counts from the answer of a write", "2", Family.LATE_WORDS, 14, 11, 120)
                    .in(
                            ELECTION,
                            "            claim.tookHold(operation.sent());\n            operation.dueAt(now);",
                            "            claim.tookHold(now);\n            operation.dueAt(now);")
                    .in(
                            ELECTION,
                            "            claim.tookHold(operation.sent());\n            operation.dueAt(claim",
                            "            claim.tookHold(now);\n            operation.dueAt(claim"),
            SeededBug.of("the wait for earlier leases counts from a month ago", "3", Family.COORDINATOR_CHANGES, 2, 10)
                    .in(
                            ELECTION,
                            "before.term(), waitFrom, claim.confirmSent()",
                            "before.term(), waitFrom - 1_000, claim.confirmSent()"),
            SeededBug.of("a sighting speaks for every later confirmation", "10", Family.COORDINATOR_CHANGES, 1, 40)
                    .in(
                            KNOWN_RECORD,
                            "            sighted = record;\n            sightedAt = now;",
                            "            sightedAt = sighted != null &&"
                                    + " record.isSameReign(sighted) ? sightedAt : now;\n"
                                    + "            sighted = record;"),
            SeededBug.uncaught("a confirmation of unknown outcome is sent again unchanged", "10", Family.LATE_WORDS)
                    .in(ELECTION, "claim.nextBeat(), holders", "own.beat() + 1, holders"),
            SeededBug.uncaught("a sighting before the first read after a merge counts", "10", Family.PARTITIONS)
                    .in(KNOWN_RECORD, "        seen = null;\n        sighted = null;", "        seen = null;")
                    .in(KNOWN_RECORD, "if (everRead && record.isNewerThan(seen)", "if (record.isNewerThan(seen)"),
            SeededBug.of("only the first member claims", "4", Family.COORDINATOR_CHANGES, 4, 10)
                    .in(
                            ELECTION,
                            "        int rank = view.rank(self);",
                            "        int rank = view.rank(self);\n        if (rank > 0) {\n           "
                                    + " return false;\n        }"),
            SeededBug.of("the first member claims over a living owner", "4", Family.PARTITIONS, 9, 13)
                    .in(
                            ELECTION,
                            "return now >= known.since() + times.orThoseOf(seen).lease() * (2 + rank) / 2;",
                            "return rank == 0;"),
            SeededBug.of("claims while it is undecided who is lost", "5", Family.PARTITIONS, 9, 11)
                    .in("control/ElectionView.java", "return held || now < decidedBy;", "return held;"),
            SeededBug.of("reigns on after a merge", "6", Family.PARTITIONS, 12, 18)
                    .in(ELECTION, "if (merged) {", "if (merged && now < 0) {"),
            SeededBug.rare("a higher term does not end a reign", "7", Family.LATE_WORDS, 18, 10, 120)
                    .in(
                            ELECTION,
                            "if (floor.meet(term) && claim.isReign()) {",
                            "if (floor.meet(term) && term.number() < 0) {"),
            SeededBug.of("any term of a message is believed", "36", Family.INTRUDERS, 1, 40)
                    .in(
                            HEARD_TERMS,
                            "return term.number() <= Math.min(most, HIGHEST) && term.incarnation() >= 0;",
                            "return term.number() <= most || term.number() > HIGHEST;"),
            SeededBug.of("a stranger's messages are believed", "36", Family.INTRUDERS, 1, 40)
                    .in(
                            "control/NodeControl.java",
                            "return believed ? on(at, event)",
                            "return believed || turn != null ? on(at, event)"),
            SeededBug.of("any member says the goodbye of another", "36", Family.INTRUDERS, 2, 7)
                    .in(
                            "control/NodeMessages.java",
                            "if (isOfSender(message.node(), \"NodeLeaving\")) {",
                            "if (turn != null) {"),
            SeededBug.rare("any member gives up the term of another", "36", Family.INTRUDERS, 20, 3, 37)
                    .in(
                            "control/EndedTerms.java",
                            "        if (mine != null || givenUpBy == null) {\n",
                            "        if (mine != null) {\n")
                    .in(
                            "control/EndedTerms.java",
                            "return told.getOrDefault(new Statement(givenUpBy, term), Map.of());",
                            "return told.keySet().stream()\n"
                                    + "                .filter(said -> said.term().equals(term))\n"
                                    + "                .findFirst()\n                .map(told::get)\n"
                                    + "                .orElse(Map.of());"),
            SeededBug.of("authority is not checked at events", "8", Family.LATE_WORDS, 1, 24)
                    .in(
                            COORDINATOR,
                            "if (now >= authority.end() && !(event instanceof CoordinatorEvent.Confirmed)) {",
                            "if (now < 0) {")
                    .in(
                            "control/OwnClaim.java",
                            "return step == Step.REIGNING && isInTime(now);",
                            "return step == Step.REIGNING;"));

    static final List<SeededBug> COORDINATION = List.of(
            SeededBug.rare("takes shards by time without a confirmation", "9", Family.PARTITIONS, 22, 9, 300)
                    .in(AUTHORITY, "&& (session.shards.isEmpty() || confirmSent >= freeAt)", ""),
            SeededBug.of("a new term waits for no lease", "10", Family.PARTITIONS, 2, 21)
                    .in(AUTHORITY, "open |= !times.awaitPredecessors() || confirmSent >= opensAt();", "open = true;"),
            SeededBug.of("a new term waits only for the members it sees", "10", Family.PARTITIONS, 2, 21)
                    .in(
                            AUTHORITY,
                            "open |= !times.awaitPredecessors()",
                            "open |= table.hostingSessions() >= 2 || !times.awaitPredecessors()"),
            SeededBug.rare("a new term waits for leases of its own length", "10", Family.DIFFERENT_LEASES, 33, 5, 400)
                    .in(HOLDERS, "return granted + longest.runOut() - times.runOut();", "return granted;"),
            SeededBug.of("abdication opens before the holders have spoken", "10", Family.COORDINATOR_CHANGES, 2, 8)
                    .in(
                            AUTHORITY,
                            "table.session(node) != null || registrations.saidGoodbye(node)",
                            "!registrations.saidGoodbye(node) || node != null"),
            SeededBug.rare(
                            "a reign that did not open forgets the leases before it",
                            "10",
                            Family.EVERYTHING,
                            16,
                            1,
                            200)
                    .in(
                            AUTHORITY,
                            "            return new EndedReign(granted, opensAt());",
                            "            return new EndedReign(granted);"),
            SeededBug.of("a new term waits for nodes that have left", "10", Family.WITNESSED, 1, 1)
                    .in(COORDINATOR, "            authority.left(event.node(), event.heardAt());\n", ""),
            SeededBug.of("a node outside the view may register", "11", Family.PARTITIONS, 15, 14)
                    .in(
                            COORDINATOR,
                            "            if (view.contains(from)) {\n                for (",
                            "            if (now > 0) {\n                for ("),
            SeededBug.rare("an earlier attempt overrides a later one", "11", Family.LATE_WORDS, 61, 3, 120)
                    .in(REGISTRATIONS, "message.attempt() < before.attempt) {", "message.attempt() < 0) {")
                    .in(
                            REGISTRATIONS,
                            "message.attempt() == before.attempt) {",
                            "message.attempt() == before.attempt && message.attempt() > 0) {"),
            SeededBug.rare("what a region reports overrides the table", "11", Family.COORDINATOR_CHANGES, 12, 3, 160)
                    .in(
                            REGISTRATIONS,
                            "if (present == null && !session.profile.proxy()) {",
                            "if (!session.profile.proxy()) {"),
            SeededBug.of("a vanished region's shards are free at once", "12", Family.PARTITIONS, 14, 17)
                    .in(
                            AUTHORITY,
                            "return over && (session.shards.isEmpty() || confirmSent >= freeAt);",
                            "return true;"),
            SeededBug.of("a vanished region's lease has no margin", "12", Family.PARTITIONS, 15, 12)
                    .in(
                            AUTHORITY,
                            "return Math.max(session.grantEnd, grace) + times.margin();",
                            "return Math.max(session.grantEnd, grace) - times.margin();"),
            SeededBug.uncaught("earlier leases of a vanished region are forgotten", "12", Family.PARTITIONS)
                    .in(
                            AUTHORITY,
                            "times.awaitPredecessors() ? waitFrom + times.lease() : LeaseTimes.NEVER;\n        return",
                            "LeaseTimes.NEVER;\n        return"),
            SeededBug.of("regions that are gone get grants", "12", Family.PARTITIONS, 14, 16)
                    .in(REGISTRATIONS, "if (!session.gone && millis > 0) {", "if (millis > 0) {"),
            SeededBug.of("silent members keep their shards", "12", Family.LATE_WORDS, 1, 3)
                    .in(
                            COORDINATOR,
                            "(session.isSilent(now, times) || !view.contains(session.node))",
                            "!view.contains(session.node)"),
            SeededBug.of("grants last longer than the authority", "13", Family.PARTITIONS, 16, 2)
                    .in(
                            REGISTRATIONS,
                            "Math.min(times.lease(), authorityEnd - session.heartbeatAt)",
                            "times.lease() + 0 * authorityEnd"),
            SeededBug.rare("shards are given to regions that may not hear it", "14", Family.LATE_WORDS, 29, 11, 120)
                    .in("coordinator/Session.java", "&& now - echoAt <= 3 * times.heartbeatInterval()", ""),
            SeededBug.rare("a list older than the confirmation frees a shard", "14", Family.LATE_WORDS, 1, 2, 150)
                    .in(
                            COORDINATOR,
                            "} else if (message.number() > assignment.confirmedAfter) {",
                            "} else if (message.number() > 0) {"),
            SeededBug.of("a home that has not confirmed is given up", "15", Family.CRASHES, 13, 14)
                    .in(
                            COORDINATOR,
                            "                    placement.host(assignment, session);",
                            "                    free(assignment);"),
            SeededBug.of("a home is shown before it has confirmed", "15", Family.CRASHES, 1, 30)
                    .in(TABLE, "if (!assignment.confirmed || assignment.handoff", "if (assignment.handoff"),
            SeededBug.of("a late ShardStopped frees any home", "16", Family.RETURNS, 1, 18)
                    .in(
                            COORDINATOR,
                            "            if (assignment != null && table.isHome(message.shard(), from,"
                                    + " message.token())) {\n                handoffs.stopped(",
                            "            if (assignment != null && assignment.home.equals(from))"
                                    + " {\n                handoffs.stopped("));

    static final List<SeededBug> REGIONS = List.of(
            SeededBug.of("a lane does not check its lease", "17", Family.PARTITIONS, 5, 19)
                    .in(LANE, "if (lease.isHeld(stay, now)) {", "if (lease.stay() == stay) {"),
            SeededBug.of("the clock is not read again inside a burst", "33", Family.PARTITIONS, 17, 6)
                    .in(LANE, "        if (stale) {", "        if (stale && now < 0) {"),
            SeededBug.of("the clock is not read again between two tasks of a burst", "33", Family.PARTITIONS, 26, 2)
                    .in(
                            LANE,
                            "        now = Math.max(now, moment);\n        stale = true;",
                            "        stale |= moment > now;\n        now = Math.max(now, moment);"),
            SeededBug.of("an answer after the lease counts", "34", Family.PARTITIONS, 1, 38)
                    .in("entity/Answers.java", "begun && !owner.holdsLease()", "begun && envelope.ask() < 0"),
            SeededBug.rare("a region does not notice that its lease ran out", "17", Family.PARTITIONS, 57, 6, 300)
                    .in(
                            REGION,
                            "if (leaseEnd == Long.MIN_VALUE || now < leaseEnd || status.isFinal()) {",
                            "if (now > Long.MIN_VALUE) {"),
            SeededBug.rare("a lease counts from the arrival of the grant", "17", Family.PARTITIONS, 17, 38, 300)
                    .in(REGION, "long until = sent + message.millis();", "long until = now + message.millis();"),
            SeededBug.rare("a grant of an earlier attempt counts", "17", Family.LATE_WORDS, 1, 3, 120)
                    .in(
                            REGION,
                            "if (message.attempt() != attempt || !accepted || sent == null) {",
                            "if (sent == null) {"),
            SeededBug.rare("a HostShard of an earlier attempt counts", "19", Family.RETURNS, 162, 1, 200)
                    .in(
                            REGION,
                            "if (message.attempt() != attempt || !hasLease(now) || profile.proxy() || leaveComplete) {",
                            "if (profile.proxy() || leaveComplete) {"),
            SeededBug.rare(
                            "a shard is taken without a lease, and given to who may not hear it",
                            "19",
                            Family.RETURNS,
                            15,
                            3,
                            120)
                    .in(
                            REGION,
                            "message.attempt() != attempt || !hasLease(now) || profile.proxy()",
                            "message.attempt() != attempt || profile.proxy()")
                    .in("coordinator/Session.java", "&& now - echoAt <= 3 * times.heartbeatInterval()", ""),
            SeededBug.of("lower terms are obeyed", "7", Family.RETURNS, 1, 9)
                    .in(REGION, "if (from.equals(term) && !status.isFinal()) {", "if (!status.isFinal()) {"),
            SeededBug.rare(
                            "lower terms are obeyed and attempts do not rise",
                            "7",
                            Family.COORDINATOR_CHANGES,
                            10,
                            26,
                            300)
                    .in(REGION, "if (from.equals(term) && !status.isFinal()) {", "if (!status.isFinal()) {")
                    .in(REGION, "        attempt++;\n", ""),
            SeededBug.uncaught("a higher term does not end drains", "20", Family.COORDINATOR_CHANGES)
                    .in(REGION, "            commands.add(new RegionCommand.CancelHandoffs());\n", ""),
            SeededBug.of("a shard is given up while its code runs", "21", Family.LONG_WORK, 1, 8)
                    .in(
                            CELL,
                            "        if (code.occupiesThread()) {",
                            "        if (code.occupiesThread() && waiting() < 0) {"),
            SeededBug.of("a region that lost its lease waits before it registers", "37", Family.PARTITIONS, 4, 23)
                    .in(
                            REGION,
                            "\"registers again\");\n        registerAnew();",
                            "\"registers again\");\n        accepted = false;\n        attempt++;"),
            SeededBug.of("lanes go on after a lost lease", "17", Family.PARTITIONS, 4, 30)
                    .in(
                            HOSTED,
                            "        if (accepts()) {\n            stop(reason, reason",
                            "        if (accepts() && reason == StopReason.SHUTDOWN) {\n      "
                                    + "      stop(reason, reason")
                    .in(
                            HOSTED,
                            "        } else if (reason == StopReason.LEASE_LOST) {",
                            "        } else if (!silent) {"));

    static final List<SeededBug> HANDOFF = List.of(
            SeededBug.rare("an empty list of participants", "22", Family.PLANNED_MOVES, 207, 1, 300)
                    .in(
                            "hosting/ShardHandoff.java",
                            "undrained = new HashSet<>(message.participants());",
                            "undrained = new HashSet<>();"),
            SeededBug.of("senders go on during a handoff", "22", Family.PLANNED_MOVES, 3, 5)
                    .in(ROUTE, "return home != null && !handoff && bounced", "return home != null && bounced"),
            SeededBug.of("a handoff does not wait for mailboxes", "23", Family.PLANNED_MOVES, 1, 39)
                    .in(HOSTED, " && (unfinished == 0 || collecting);", ";"),
            SeededBug.rare("late joiners get a way during a handoff", "23", Family.PROMPT_MOVES, 88, 1, 201)
                    .in(TABLE, "|| assignment.handoff != null ||", "||"),
            SeededBug.rare(
                            "a shard's own entities cannot reach it while it drains",
                            "23",
                            Family.PLANNED_MOVES,
                            36,
                            2,
                            126)
                    .in(
                            LANE,
                            "!(isInside(fromShard, shard) && deliver(envelope, true))",
                            "!(isInside(fromShard, shard) && now < 0)"),
            SeededBug.of("a handoff that takes too long is forced", "24", Family.SLOW_MOVES, 1, 40)
                    .in(HANDOFFS, "if (handoff.cause == Handoff.Cause.LEAVE) {", "if (now > Long.MIN_VALUE) {"),
            SeededBug.of("every handoff is forced", "24", Family.PLANNED_MOVES, 1, 40)
                    .in(HOSTED, "if (message.force()) {", "if (message.token().equals(token)) {"),
            SeededBug.of("ShardStopped is said once, and lists free no shard", "25", Family.LATE_WORDS, 19, 1)
                    .in(
                            REGION,
                            "        nextRetry = now + retryInterval / 4;\n       "
                                    + " shards.unrecordedStops().forEach(this::send);\n",
                            "        nextRetry = now + retryInterval / 4;\n")
                    .in(REGION, "        shards.unrecordedStops().forEach(this::send);\n        send(", "        send(")
                    .in(OWN_SHARDS, "        unrecordedStops().forEach(before);\n", "")
                    .in(
                            COORDINATOR,
                            "} else if (message.number() > assignment.confirmedAfter) {",
                            "} else if (message.number() < 0) {"));

    static final List<SeededBug> MESSAGES = List.of(
            SeededBug.of("a repeated frame is taken again", "26", Family.CRASHES, 1, 40)
                    .in(IN, "return head.number() == received + 1;", "return head.number() <= received + 1;"),
            SeededBug.of("a frame is taken before the one that it follows", "26", Family.CRASHES, 14, 2)
                    .in(IN, "        if (head.number() > received + 1) {\n            return false;\n        }\n", "")
                    .in(IN, "return head.number() == received + 1;", "return head.number() > received;"),
            SeededBug.rare("frames of an ended epoch are taken", "26", Family.LATE_WORDS, 81, 1, 150)
                    .in(IN, "if (head.number() == 0 || head.epoch() < epoch) {", "if (head.number() == 0) {")
                    .in(IN, "if (head.epoch() > epoch) {", "if (head.epoch() != epoch) {"),
            SeededBug.rare("any token is accepted at the home", "27", Family.LATE_WORDS, 101, 1, 150)
                    .in(HOSTED_SHARDS, "                || !(local || found.token.equals(envelope.token()))\n", ""),
            SeededBug.of("messages are taken without a lease", "27", Family.PARTITIONS, 4, 14)
                    .in(HOSTED_SHARDS, "|| !lane.mayRun(lane.stay())) {", ") {"),
            SeededBug.of("refused messages are reported as taken", "27", Family.CRASHES, 1, 20)
                    .in(
                            OUT,
                            "boolean taken = nextBounced >= bounced.size() || bounced.get(nextBounced) != i;",
                            "boolean taken = true;"),
            SeededBug.of("taken messages are reported as refused", "27", Family.CRASHES, 33, 2)
                    .in(
                            IN,
                            "            if (isHeld(item, shards) || !taker.test(item)) {",
                            "            if (isHeld(item, shards) | !taker.test(item)) {"),
            SeededBug.of("what follows a refused message is taken", "28", Family.PARTITIONS, 7, 1)
                    .in(IN, "            if (isHeld(item, shards) ||", "            if ("),
            SeededBug.uncaught("a frame that came too soon speaks for the one before it", "28", Family.EVERYTHING)
                    .in(
                            IN,
                            "        if (head.number() > received + 1) {\n            return false;",
                            "        refusals.removeIf(refusal -> refusal.bounce().frame() <= head.answered());\n"
                                    + "        if (head.number() > received + 1) {\n            return false;"),
            SeededBug.rare("messages to the new home overtake those to the old", "28", Family.RETURNS, 26, 4, 129)
                    .in(ROUTE, "&& (underWay == 0 || sentUnder.equals(home.token()))", ""),
            SeededBug.of("what a buffer has accepted is refused when it leaves", "28", Family.EVERYTHING, 1, 28)
                    .in(ROUTES, "if (!accepted && load >= ", "if (load >= "),
            SeededBug.of("what came back goes behind what waits", "28", Family.PARTITIONS, 1, 14)
                    .in(
                            ROUTE,
                            "                waiting.addFirst(bounced.get(i));",
                            "                waiting.addLast(bounced.get(i));"),
            SeededBug.of("what may have arrived is sent again", "29", Family.CRASHES, 1, 23)
                    .in(
                            ROUTES,
                            "        lost.forEach(envelope -> lane.failed(envelope, unknown));",
                            "        lost.forEach(this::send);"),
            SeededBug.of(
                            "what waits at a lapse is forgotten, also when its entity ends",
                            "30",
                            Family.PARTITIONS,
                            4,
                            22)
                    .in(
                            HOSTED,
                            "            cell.failWaiting(Failure.of(forWaiting, \"entity '\" + cell.id() + \"' is"
                                    + " stopping: \" + reason));\n",
                            "")
                    .in(CELL, "            failWaiting(Failure.of(FailureCode.ENTITY_STOPPED, text));\n", ""),
            SeededBug.of("messages of one frame are taken in the wrong order", "26", Family.CRASHES, 1, 40)
                    .in(
                            IN,
                            "            FrameItem item = items.get(i);\n            if (isHeld",
                            "            FrameItem item = items.get(items.size() - 1 - i);\n            if (isHeld"));
}
