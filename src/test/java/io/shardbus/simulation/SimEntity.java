package io.shardbus.simulation;

import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.entity.EntityCode;
import io.shardbus.core.entity.EntityOwner;
import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.shardbus.simulation.Letter.Ending;
import io.shardbus.simulation.Letter.Next;
import io.shardbus.simulation.Letter.Work;
import io.shardbus.simulation.Violation.Kind;
import java.time.Duration;

/** An entity whose code takes time, fails, sends, or ignores its stop, as its messages and chance will have it. */
final class SimEntity implements EntityCode {
    final LaneLoop loop;
    final FencingToken token;
    final EntityCell cell;
    /** How many lapses of the lease its lane had carried out when it took the shard. */
    private final int since;

    private final EntityOwner owner;
    private final Simulation world;
    private final int shard;
    private long instance;
    private long value;
    private boolean inside;
    private boolean told;

    SimEntity(String id, EntityOwner owner, LaneLoop loop, int shard, FencingToken token) {
        this.cell = new EntityCell(id, owner, this);
        this.owner = owner;
        this.loop = loop;
        this.world = loop.node.world;
        this.shard = shard;
        this.token = token;
        this.since = loop.lapses();
    }

    String id() {
        return cell.id();
    }

    /** Whether its code may begin at this moment. */
    boolean mayRun() {
        return loop.leaseIsValid(since);
    }

    @Override
    public void broken(Throwable fault) {
        Violation.report(fault);
    }

    @Override
    public RestartPolicy restartPolicy() {
        return switch (Math.floorMod(id().hashCode(), 4)) {
            case 0 -> RestartPolicy.restart();
            case 1 -> RestartPolicy.resume();
            case 2 -> RestartPolicy.stop();
            default -> RestartPolicy.stopWithBackoff(Duration.ofMillis(50), Duration.ofMillis(400));
        };
    }

    @Override
    public void beginStart(StartReason reason) {
        instance = world.ledger().begins(this);
        value = 0;
        told = false;
        EntityState state = owner.takeState(cell);
        world.ledger().states().begins(id(), state);
        world.timeline().add(loop, "starts", id() + " " + reason + " " + token);
        if (!chance(30)) {
            cell.begun();
            return;
        }
        boolean fails = !world.isAtRest() && chance(world.options().throwPercent);
        during(1 + loop.node.dice.nextInt(30), () -> {
            if (fails) {
                cell.startFailed(Failure.of(FailureCode.ENTITY_FAILED, "cannot start"));
            } else {
                cell.begun();
            }
        });
    }

    private boolean chance(int percent) {
        return loop.node.dice.nextInt(100) < percent;
    }

    /** Goes on after a time, if the instance is still the same. */
    private void during(long millis, Runnable then) {
        long present = instance;
        loop.later(millis, () -> {
            if (instance == present) {
                then.run();
            }
        });
    }

    @Override
    public void beginReceive(Envelope envelope) {
        Letter letter = (Letter) envelope.payload();
        world.timeline().add(loop, "handles", letter);
        if (told) {
            throw new Violation(Kind.AFTER_STOP, letter + " is given to an instance that was told to stop");
        }
        world.ledger().handed(letter, this);
        Work work = letter.work();
        Next next = work.next();
        if (next != null) {
            send(envelope, next);
        }
        if (next == null || !next.awaited()) {
            takeTime(envelope, work);
        }
    }

    private void send(Envelope envelope, Next next) {
        LaneLoop other = loop.node.laneOf(next.entity());
        int fromShard = other.hosting == loop.hosting ? shard : -1;
        long present = instance;
        Work work = ((Letter) envelope.payload()).work();
        Runnable sending = () -> other.sendLetter(
                fromShard,
                next,
                !next.ask()
                        ? null
                        : answered -> loop.post(0, () -> {
                            if (next.awaited() && instance == present) {
                                takeTime(envelope, work);
                            }
                        }));
        if (other == loop) {
            sending.run();
        } else {
            other.post(0, sending);
        }
    }

    private void takeTime(Envelope envelope, Work work) {
        if (work.millis() == 0) {
            finish(envelope, work);
            return;
        }
        inside = work.blocks();
        long present = instance;
        Runnable end = () -> {
            if (instance == present) {
                inside = false;
                finish(envelope, work);
            } else {
                world.ledger().codeEnds(present);
            }
        };
        if (inside) {
            loop.later(work.millis(), end);
        } else {
            loop.endLater(work.millis(), end);
        }
    }

    private void finish(Envelope envelope, Work work) {
        if (work.ending() == Ending.PASSIVATES) {
            loop.hosting.passivation.entityWishes();
            cell.putAway();
        }
        Failure failure = work.ending() == Ending.THROWS ? Failure.of(FailureCode.ENTITY_FAILED, "thrown") : null;
        Letter letter = (Letter) envelope.payload();
        world.ledger().finished(letter, mayRun());
        value += failure == null ? letter.amount() : 0;
        Object reply = failure == null ? new Clients.Reply(letter.id(), value, instance, token) : null;
        cell.handled(envelope, reply, failure, failure != null);
    }

    @Override
    public void beginTurn() {
        cell.turnEnded();
    }

    @Override
    public void beginOffer() {
        cell.offered(null, null);
    }

    @Override
    public void beginStop(StopReason reason, boolean offered) {
        told = true;
        world.timeline().add(loop, "asked to stop", id() + " " + reason);
        if (chance(world.options().stubbornPercent)) {
            return;
        }
        if (reason == StopReason.HANDOFF) {
            owner.giveState(world.ledger().states().state(id()));
        }
        if (chance(60)) {
            cell.stopped();
        } else {
            during(1 + loop.node.dice.nextInt(60), cell::stopped);
        }
    }

    @Override
    public void overtime(StopReason reason, long millis) {
        world.ledger().stopsByForce();
    }

    @Override
    public void discard() {
        world.timeline().add(loop, "ends", id());
        world.ledger().ends(instance, inside);
        instance = 0;
        inside = false;
    }

    @Override
    public boolean occupiesThread() {
        return inside;
    }

    @Override
    public Object location() {
        return loop.node.id;
    }
}
