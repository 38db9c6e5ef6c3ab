package io.shardbus.runtime.control;

import io.shardbus.core.control.ControlLoop;
import io.shardbus.core.control.Election;
import io.shardbus.core.control.ElectionCommand;
import io.shardbus.core.control.NodeControl;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.spi.StateStore;
import io.shardbus.store.IncompatibleRecordException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Reads and writes the term record for this node's election, looks for vacant seats, and tells operators of reigns. */
final class ElectionRunner implements ElectionCommand.Visitor {
    private static final Logger LOG = LoggerFactory.getLogger(ElectionRunner.class);

    private final NodeControl control;
    private final NodeParts parts;
    private final Context context;
    private final ControlLoop loop;
    private final Consumer<String> incompatible;
    private final Confirmations confirmations;
    private final StateStore store;
    /** A cluster within one Vertx has one node, so its elections are logged at a lower level. */
    private final Level level;

    private Future<?> lastWrite = Future.succeededFuture();

    /** @param incompatible hears why this build cannot work with the nodes whose record it found */
    ElectionRunner(
            NodeControl control,
            NodeParts parts,
            Context context,
            ControlLoop loop,
            Consumer<String> incompatible,
            Confirmations confirmations) {
        this.control = control;
        this.parts = parts;
        this.context = context;
        this.loop = loop;
        this.incompatible = incompatible;
        this.confirmations = confirmations;
        this.store = parts.store();
        store.watchReplica(record -> back(() -> loop.run((machine, at) -> machine.recordSighted(record, at))));
        this.level = parts.transport().isWithin() ? Level.DEBUG : Level.INFO;
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
                        loop.run((machine, at) -> machine.recordRead(number, result.result(), at));
                    } else {
                        LOG.debug("the term record could not be read", result.cause());
                        if (result.cause() instanceof IncompatibleRecordException other) {
                            incompatible.accept(String.valueOf(other.getMessage()));
                        }
                        loop.run((machine, at) -> machine.recordUnread(number, at));
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
            loop.run((machine, at) -> machine.recordReplaced(command.operation(), outcome, at));
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
                : "; shards without a home wait until leases of an earlier coordinator have run out, for "
                        + (wait + 999) / 1000 + " s at most";
        LOG.atLevel(level).log("term={}: coordinating{}", command.term().number(), waits);
        LOG.debug(
                "leases of earlier terms may be held on {}",
                control.election().holders().inherited());
    }

    @Override
    public void stepDown(ElectionCommand.StepDown command) {
        LOG.atLevel(level)
                .log("term={}: no longer coordinating: {}", command.term().number(), command.reason());
    }

    @Override
    public void askSeats(ElectionCommand.AskSeats command) {
        NodeMessage.SeatsAsked asked = command.message();
        parts.membership()
                .occupiedSeats()
                .onFailure(failure -> LOG.warn("cannot determine which seats of the cluster are vacant", failure))
                .onSuccess(occupied -> back(() -> loop.run((machine, at) -> machine.seatsProbed(
                        asked.attempt(),
                        asked.round(),
                        occupied,
                        parts.membership().seesEveryProcess(),
                        at))));
    }

    @Override
    public void revive(ElectionCommand.Revive command) {
        parts.membership().revive();
    }

    @Override
    public void confirmed(ElectionCommand.Confirmed command) {
        confirmations.took(Math.max(0, parts.clock().now() - command.confirmSent()));
    }

    // what follows from the next three has happened in the machine

    @Override
    public void termBelieved(ElectionCommand.TermBelieved command) {}

    @Override
    public void termRefused(ElectionCommand.TermRefused command) {}

    @Override
    public void answerSeat(ElectionCommand.AnswerSeat command) {}
}
