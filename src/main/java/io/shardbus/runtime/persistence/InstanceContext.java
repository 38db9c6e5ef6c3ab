package io.shardbus.runtime.persistence;

import io.shardbus.EntityContext;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.model.CommandId;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.StartReason;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.persistence.spi.ReminderChange;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The context of the plain entity, with what is stored of this one. */
final class InstanceContext<M> implements PersistenceContext<M> {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceContext.class);

    private final EntityContext<M> plain;
    private final StoredEntity<M, ?, ?, ?> entity;
    private SetReminders reminders = SetReminders.CLOSED;

    InstanceContext(EntityContext<M> plain, StoredEntity<M, ?, ?, ?> entity) {
        this.plain = plain;
        this.entity = entity;
    }

    /** Runs the actions of a command that is stored, or stores nothing; one that fails does not stop the others. */
    <S> void act(Decided<S> decided, S reached) {
        for (Consumer<? super S> action : decided.actions()) {
            try {
                action.accept(reached);
            } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
                LOG.warn("type={}: entity {}: an action after a command failed", type().name(), id(), e);
            }
        }
        if (decided.passivates()) {
            passivate();
        }
    }

    /** A command is about to be decided on: it may set reminders. */
    void openReminders() {
        reminders = SetReminders.OPEN;
    }

    /** No command is being decided: reminders that were set and not stored are void. */
    void closeReminders() {
        reminders = SetReminders.CLOSED;
    }

    /** The reminders that are stored with the command's rows; it sets no more. */
    List<ReminderChange> takeReminders() {
        List<ReminderChange> taken = reminders.list();
        closeReminders();
        return taken;
    }

    /** The command stores nothing: it may have set and cancelled none. */
    void requireNoReminders() {
        SetReminders set = reminders;
        closeReminders();
        set.requireNone();
    }

    @Override
    public Optional<CommandId> commandId() {
        return entity.commandId();
    }

    @Override
    public long sequenceNumber() {
        return entity.sequenceNumber();
    }

    @Override
    public void remind(String name, Instant at, M message) {
        Objects.requireNonNull(message, "message");
        reminders = reminders.set(entity.host(), entity.isInAction(), name, at, message);
        RemindedTypes.on(vertx()).reminded(type().name());
    }

    @Override
    public void cancelReminder(String name) {
        reminders = reminders.cancel(entity.isInAction(), name);
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
    public EntityRef<M> entityRef(String entityId) {
        return plain.entityRef(entityId);
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
        entity.stashed();
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
