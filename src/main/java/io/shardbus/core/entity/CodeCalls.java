package io.shardbus.core.entity;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;

/**
 * Calls the code of a cell. Each call begins a step, whose end the code reports to the cell. If the call throws, the
 * step ends at once as a failure: otherwise the cell would wait for that report forever.
 */
final class CodeCalls {
    private CodeCalls() {}

    static void start(EntityCell cell, EntityOwner owner, EntityCode code, StartReason reason) {
        owner.running(cell);
        try {
            code.beginStart(reason);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            cell.broken(e);
        } finally {
            owner.running(null);
        }
    }

    /** A message waits that cannot be taken up now. */
    static void messageWaits(EntityCell cell, EntityCode code) {
        if (cell.state() == CellState.ENDED) {
            cell.start(StartReason.MESSAGE);
        } else if (cell.state() == CellState.STARTING) {
            code.wanted();
        }
    }

    static void receive(EntityCell cell, EntityOwner owner, EntityCode code, Envelope envelope) {
        owner.running(cell);
        try {
            code.beginReceive(envelope);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            cell.broken(e);
        } finally {
            owner.running(null);
        }
    }

    static void turn(EntityCell cell, EntityOwner owner, EntityCode code) {
        owner.running(cell);
        try {
            code.beginTurn();
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            cell.broken(e);
        } finally {
            owner.running(null);
        }
    }

    static void offer(EntityCell cell, EntityOwner owner, EntityCode code) {
        owner.running(cell);
        try {
            code.beginOffer();
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            cell.broken(e);
        } finally {
            owner.running(null);
        }
    }

    static void stop(EntityCell cell, EntityOwner owner, EntityCode code, StopReason reason, boolean offered) {
        owner.running(cell);
        try {
            code.beginStop(reason, offered);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            cell.broken(e);
        } finally {
            owner.running(null);
        }
    }

    /** The step that made the call ends as a failure, unless it has ended. */
    static void broken(EntityCell cell, EntityCode code, Throwable fault) {
        code.broken(fault);
        Failure failure = failure(cell);
        Envelope inHand = cell.inHand();
        switch (cell.state()) {
            case STARTING -> cell.startFailed(failure);
            case ASKED -> cell.offered(null, failure.message());
            case STOPPING -> cell.stopped();
            case BUSY -> {
                if (inHand == null) {
                    cell.turnEnded();
                } else {
                    cell.handled(inHand, null, failure, true);
                }
            }
            case UNANSWERED -> {
                if (inHand != null) {
                    cell.handled(inHand, null, failure, true);
                }
            }
            default -> {}
        }
    }

    /** Ends the step of this message, whose end has thrown; another message may be in hand meanwhile. */
    static void broken(EntityCell cell, EntityCode code, Envelope envelope, Throwable fault) {
        if (cell.inHand() == envelope) {
            broken(cell, code, fault);
        } else {
            code.broken(fault);
            cell.handled(envelope, null, failure(cell), false);
        }
    }

    private static Failure failure(EntityCell cell) {
        return Failure.of(
                FailureCode.ENTITY_FAILED, "entity '" + cell.id() + "' failed unexpectedly; see its node's log");
    }

    /** The instance is forgotten also if its own last word throws. */
    static void discard(EntityCode code) {
        try {
            code.discard();
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            code.broken(e);
        }
    }
}
