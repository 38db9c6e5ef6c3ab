package io.shardbus.runtime.persistence;

import io.shardbus.EntityContext;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.model.CommandId;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.StartReason;
import io.shardbus.persistence.PersistenceContext;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The context of the plain entity, with the number of what is stored.
 *
 * @param stashed told before the command in hand is put aside
 */
record InstanceContext<M>(
        EntityContext<M> plain,
        LongSupplier sequence,
        Supplier<Optional<CommandId>> command,
        Runnable stashed,
        SetReminders reminders)
        implements PersistenceContext<M> {
    @Override
    public Optional<CommandId> commandId() {
        return command.get();
    }

    @Override
    public long sequenceNumber() {
        return sequence.getAsLong();
    }

    @Override
    public void remind(String name, Instant at, M message) {
        reminders.set(name, at, Objects.requireNonNull(message, "message"));
    }

    @Override
    public void cancelReminder(String name) {
        reminders.cancel(name);
    }

    @Override
    public EntityType<M> type() {
        return plain.type();
    }

    @Override
    public String id() {
        return plain.id();
    }

    @Override
    public int shard() {
        return plain.shard();
    }

    @Override
    public NodeId node() {
        return plain.node();
    }

    @Override
    public FencingToken token() {
        return plain.token();
    }

    @Override
    public String incarnation() {
        return plain.incarnation();
    }

    @Override
    public StartReason startReason() {
        return plain.startReason();
    }

    @Override
    public EntityRef<M> self() {
        return plain.self();
    }

    @Override
    public Vertx vertx() {
        return plain.vertx();
    }

    @Override
    public void passivate() {
        plain.passivate();
    }

    @Override
    public void passivate(M stopMessage) {
        plain.passivate(stopMessage);
    }

    @Override
    public void stop() {
        plain.stop();
    }

    @Override
    public long setTimer(Duration delay, M message) {
        return plain.setTimer(delay, message);
    }

    @Override
    public long setTimer(Duration delay, M message, boolean keepAlive) {
        return plain.setTimer(delay, message, keepAlive);
    }

    @Override
    public long setPeriodicTimer(Duration period, M message) {
        return plain.setPeriodicTimer(period, message);
    }

    @Override
    public long setPeriodicTimer(Duration period, M message, boolean keepAlive) {
        return plain.setPeriodicTimer(period, message, keepAlive);
    }

    @Override
    public boolean cancelTimer(long timer) {
        return plain.cancelTimer(timer);
    }

    @Override
    public void setReceiveTimeout(Duration timeout, M message) {
        plain.setReceiveTimeout(timeout, message);
    }

    @Override
    public void cancelReceiveTimeout() {
        plain.cancelReceiveTimeout();
    }

    @Override
    public void stash() {
        stashed.run();
        plain.stash();
    }

    @Override
    public void unstashAll() {
        plain.unstashAll();
    }

    @Override
    public void discardStash() {
        plain.discardStash();
    }
}
