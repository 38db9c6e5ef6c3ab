package io.shardbus.runtime.coordinator;

import io.shardbus.NodeId;
import io.shardbus.core.coordinator.Election;
import io.shardbus.core.coordinator.ElectionCommand;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.TermId;
import io.shardbus.core.time.SuspensionWatch;
import io.shardbus.spi.StateStore;
import io.shardbus.store.IncompatibleRecordException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Carries out the commands of this node's election: the record's reads and writes, and the beginning and end of reigns. */
final class ElectionRunner implements ElectionCommand.Visitor {
    private static final Logger LOG = LoggerFactory.getLogger(ElectionRunner.class);

    /** What happens to reigns. */
    interface Reigns {
        void begin(ElectionCommand.Begin begin);

        void confirmed(TermId term, long sentAt);

        /** Moments of the clock before this one say no more how long ago something was: it gained so many milliseconds. */
        void timeDoubted(long gained);

        /** The record is of nodes that this build cannot work with. */
        void incompatible(String reason);

        /** Tells all other members. */
        void askSeats(NodeMessage.SeatsAsked asked);

        void answerSeat(NodeId to, NodeMessage.SeatAnswered answer);

        /** @param unconfirmed whether the term could not be confirmed for a lease time */
        void stepDown(boolean unconfirmed);

        /** @param coordinator null if it is not known */
        void believed(TermId term, @Nullable NodeId coordinator);

        /** A message carried a term that cannot be. */
        void refused(TermId term);
    }

    private final Election election;
    private final NodeParts parts;
    private final Context context;
    private final Reigns reigns;
    private final StateStore store;
    private final SuspensionWatch suspensions;
    /** Who coordinates a cluster within one Vertx concerns nobody. */
    private final Level level;

    private Future<?> lastWrite = Future.succeededFuture();
    private long confirmSent;

    ElectionRunner(Election election, NodeParts parts, Context context, Reigns reigns) {
        this.election = election;
        this.parts = parts;
        this.context = context;
        this.reigns = reigns;
        this.store = parts.store();
        this.suspensions = parts.suspensions();
        store.watchReplica(record -> back(() -> run(now -> {
            election.recordSighted(record, now);
            return List.of();
        })));
        this.level = parts.transport().isWithin() ? Level.DEBUG : Level.INFO;
    }

    /** Gives the election an event and does what it wants. */
    void run(Function<Long, List<ElectionCommand>> event) {
        long now = parts.clock().now();
        election.wallClock(parts.clock().wallMillis());
        long doubtful = suspensions.doubtfulGain(parts.clock().time(), now);
        if (doubtful > 0) {
            LOG.warn("the wall clock ran {} ms ahead: this machine was suspended or its time was set", doubtful);
            election.timeDoubted(doubtful, now).forEach(command -> command.accept(this));
            reigns.timeDoubted(doubtful);
        }
        event.apply(now).forEach(command -> command.accept(this));
    }

    private <T> Future<T> bounded(Future<T> operation) {
        return operation.timeout(parts.options().getLeaseDurationMs() / 2, TimeUnit.MILLISECONDS);
    }

    @Override
    public void read(ElectionCommand.Read command) {
        long number = command.operation();
        bounded(store.readTerm())
                .onComplete(result -> back(() -> {
                    if (result.succeeded()) {
                        run(now -> election.readCompleted(number, result.result(), now));
                    } else {
                        LOG.debug("the term record could not be read", result.cause());
                        if (result.cause() instanceof IncompatibleRecordException other) {
                            reigns.incompatible(String.valueOf(other.getMessage()));
                        }
                        run(now -> election.readFailed(number, now));
                    }
                }));
    }

    @Override
    public void replace(ElectionCommand.Replace command) {
        Future<Boolean> write = bounded(store.replaceTerm(command.expected(), command.next()));
        lastWrite = write;
        write.onComplete(result -> back(() -> {
            Election.Outcome outcome = result.failed()
                    ? Election.Outcome.UNKNOWN
                    : Boolean.TRUE.equals(result.result()) ? Election.Outcome.WRITTEN : Election.Outcome.UNEQUAL;
            if (result.failed()) {
                LOG.debug("the term record was written with an unknown outcome", result.cause());
            }
            run(now -> election.replaceCompleted(command.operation(), outcome, now));
        }));
    }

    /** Completes when the last write has ended, well or not. */
    Future<Void> written() {
        return lastWrite.<Void>mapEmpty().otherwiseEmpty();
    }

    private void back(Runnable task) {
        context.runOnContext(ignored -> task.run());
    }

    @Override
    public void begin(ElectionCommand.Begin command) {
        long wait = command.waitFrom()
                + parts.times().lease()
                + parts.times().margin()
                - parts.clock().now();
        String waits = wait <= 0 || !parts.times().awaitPredecessors()
                ? ""
                : "; shards without a home wait for leases of an earlier life of the cluster, for "
                        + (wait + 999) / 1000 + " s at most";
        LOG.atLevel(level).log("coordinating: term {}{}", command.term().number(), waits);
        LOG.debug(
                "leases of earlier terms may be held on {}", election.holders().inherited());
        reigns.begin(command);
    }

    @Override
    public void confirmed(ElectionCommand.Confirmed command) {
        confirmSent = command.confirmSent();
        reigns.confirmed(command.term(), command.confirmSent());
    }

    @Override
    public void stepDown(ElectionCommand.StepDown command) {
        LOG.atLevel(level)
                .log(
                        "no longer coordinating, term {} has ended: {}",
                        command.term().number(),
                        command.reason());
        reigns.stepDown(parts.clock().now() >= confirmSent + parts.times().lease());
    }

    @Override
    public void termBelieved(ElectionCommand.TermBelieved command) {
        reigns.believed(command.term(), command.coordinator());
    }

    @Override
    public void termRefused(ElectionCommand.TermRefused command) {
        reigns.refused(command.term());
    }

    @Override
    public void askSeats(ElectionCommand.AskSeats command) {
        NodeMessage.SeatsAsked asked = command.message();
        reigns.askSeats(asked);
        parts.membership()
                .occupiedSeats()
                .onFailure(failure -> LOG.warn("it cannot be seen which seats of the cluster are vacant", failure))
                .onSuccess(occupied -> back(() -> run(now -> election.seatsProbed(
                        asked.attempt(),
                        asked.round(),
                        occupied,
                        parts.membership().seesEveryProcess(),
                        now))));
    }

    @Override
    public void answerSeat(ElectionCommand.AnswerSeat command) {
        reigns.answerSeat(command.to(), command.message());
    }

    @Override
    public void revive(ElectionCommand.Revive command) {
        parts.membership().revive();
    }
}
