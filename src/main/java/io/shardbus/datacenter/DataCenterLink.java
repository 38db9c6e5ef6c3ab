package io.shardbus.datacenter;

import io.shardbus.ShardingException;
import io.shardbus.core.datacenter.LinkWatch;
import io.shardbus.core.datacenter.LinkWatch.Command;
import io.shardbus.model.FailureCode;
import io.shardbus.model.Reachability;
import io.shardbus.options.DataCenterOptions;
import io.shardbus.options.Peer;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.transport.direct.FrameCutter;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.net.ConnectException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's link to another data center: one connection at a time, to one of its nodes. Messages wait while there is
 * no connection, and fail once the data center counts as unreachable. {@link LinkWatch} decides when to connect; this
 * class executes its commands on one event loop.
 */
final class DataCenterLink {
    private static final Logger LOG = LoggerFactory.getLogger(DataCenterLink.class);

    private final String self;
    private final String name;
    private final List<Peer> addresses;
    private final int mostFrameBytes;
    private final Vertx vertx;
    private final Context context;
    private final NetClient client;
    private final ElapsedClock clock = new ElapsedClock();
    private final LinkWatch watch;
    private final Consumer<DataCenterEvent> listeners;
    private final long timer;
    private final Outbox outbox;
    private volatile Reachability reachability = Reachability.UNKNOWN;
    private @Nullable Connection connection;
    private String lastEnd = "no connection in time";
    private boolean closed;

    /** A connection, from the beginning of its attempt. */
    private static final class Connection {
        private final long attempt;
        private final String address;
        private @Nullable NetSocket socket;
        private boolean welcome;
        private boolean leaving;

        Connection(long attempt, String address) {
            this.attempt = attempt;
            this.address = address;
        }
    }

    DataCenterLink(
            Vertx vertx,
            DataCenterOptions options,
            String name,
            List<String> addresses,
            NetClient client,
            int mostFrameBytes,
            Consumer<DataCenterEvent> listeners) {
        this.vertx = vertx;
        this.self = options.getName();
        this.name = name;
        this.addresses = addresses.stream().map(Peer::parse).toList();
        this.outbox = new Outbox(vertx, options.getMaxPending());
        this.mostFrameBytes = mostFrameBytes;
        this.client = client;
        this.listeners = listeners;
        this.context = ((VertxInternal) vertx).createEventLoopContext();
        this.watch = new LinkWatch(
                new LinkWatch.Times(options.getHeartbeatIntervalMs(), options.getUnreachableAfterMs()),
                this.addresses.size(),
                clock.now());
        this.timer = vertx.setPeriodic(
                0,
                options.getHeartbeatIntervalMs(),
                ignored -> context.runOnContext(now -> carryOut(watch.tick(clock.now()))));
    }

    DataCenterState state() {
        return new DataCenterState(name, reachability, outbox.pending(), outbox.lostTells());
    }

    /**
     * Sends a message, or ends it with REGION_BUFFER_FULL. Any thread; messages of one thread are sent in its order.
     */
    void send(Outgoing message) {
        if (outbox.reserve()) {
            context.runOnContext(now -> admit(message));
        } else {
            context.runOnContext(now -> outbox.end(message, refusal()));
        }
    }

    private ShardingException refusal() {
        return new ShardingException(
                FailureCode.REGION_BUFFER_FULL,
                "more than maxPending (" + outbox.most() + ") messages to data center " + name + " are under way");
    }

    /** Any thread. */
    boolean writeQueueFull() {
        return outbox.isFull();
    }

    /** Calls the handler once, on the caller's context if there is one, when the link is not full. Any thread. */
    void drainHandler(Handler<Void> handler) {
        var caller = Vertx.currentContext();
        outbox.whenNotFull(() -> (caller == null ? context : caller).runOnContext(handler));
    }

    private void admit(Outgoing message) {
        if (closed || watch.reachability() == Reachability.UNREACHABLE) {
            outbox.end(message, unreachable());
            return;
        }
        if (message.answer() != null) {
            message.timer(vertx.setTimer(
                    message.timeout(), ignored -> context.runOnContext(now -> outbox.end(message, timedOut(message)))));
        }
        if (connection != null && connection.welcome) {
            write(connection, message);
        } else {
            outbox.await(message);
        }
    }

    private ShardingException timedOut(Outgoing message) {
        return new ShardingException(
                FailureCode.TIMED_OUT, "no answer from data center " + name + " within " + message.timeout() + " ms");
    }

    private ShardingException unreachable() {
        return new ShardingException(
                FailureCode.DATA_CENTER_UNREACHABLE,
                closed ? "the links to data centers are closed" : "no node of data center " + name + " can be reached");
    }

    private void write(Connection to, Outgoing message) {
        if (message.answer() != null) {
            outbox.sends(message);
            write(to, message.frame());
            return;
        }
        write(to, message.frame()).onComplete(written -> {
            if (written.failed()) {
                outbox.end(message, unreachable());
            } else {
                outbox.settle(message);
            }
        });
    }

    private static Future<Void> write(Connection to, Frame frame) {
        var socket = to.socket;
        return socket == null ? Future.failedFuture("no socket") : socket.write(FrameCutter.framed(frame.encode()));
    }

    private void carryOut(List<Command> commands) {
        for (var command : commands) {
            if (command instanceof Command.Connect connect) {
                connect(connect);
            } else if (command instanceof Command.Drop drop) {
                if (connection != null && connection.attempt == drop.attempt()) {
                    LOG.debug("dataCenter={}: {} does not answer", name, connection.address);
                    release(connection);
                }
            } else if (command instanceof Command.Announce announce) {
                announce(announce.reachable());
            } else if (connection != null) {
                write(connection, Frame.ping());
            }
        }
    }

    private void connect(Command.Connect command) {
        if (closed) {
            return;
        }
        var peer = addresses.get(command.address());
        var made = new Connection(command.attempt(), peer.named(0));
        connection = made;
        Future<NetSocket> connecting;
        try {
            connecting = client.connect(peer.port().orElseThrow(), peer.host());
        } catch (IllegalStateException e) {
            LOG.debug("dataCenter={}: the Vertx of this node has closed", name, e);
            shut();
            return;
        }
        connecting
                .onSuccess(socket -> context.runOnContext(now -> open(made, socket)))
                .onFailure(failure -> context.runOnContext(now -> ended(made, reason(failure))));
    }

    /** Omits the text of a failed handshake, which may contain received bytes. */
    private static String reason(Throwable failure) {
        return failure instanceof ConnectException
                ? String.valueOf(failure.getMessage())
                : failure.getClass().getSimpleName();
    }

    private void open(Connection made, NetSocket socket) {
        made.socket = socket;
        if (connection != made || closed) {
            socket.close();
            return;
        }
        var cutter = new FrameCutter(mostFrameBytes, in -> take(made, Frame.decode(in)));
        socket.handler(chunk -> context.runOnContext(now -> read(made, cutter, chunk)));
        socket.closeHandler(gone -> context.runOnContext(now -> ended(made, "closed by the other end")));
        socket.exceptionHandler(failure -> LOG.debug("dataCenter={}: {}", name, made.address, failure));
        write(made, Frame.hello(self, name));
    }

    private void read(Connection from, FrameCutter cutter, Buffer chunk) {
        if (connection != from) {
            return;
        }
        try {
            cutter.take(chunk);
        } catch (WireFormatException e) {
            LOG.warn(
                    "dataCenter={}: {} sent a malformed frame, connection closed: {}",
                    name,
                    from.address,
                    e.getMessage());
            ended(from, "a malformed frame");
        } catch (RuntimeException | Error e) {
            // the frames after this one are lost: later ones must not be taken for the next
            ended(from, "an error of this node: " + e.getClass().getSimpleName());
            throw e;
        }
    }

    private void take(Connection from, Frame frame) {
        watch.heard(from.attempt, clock.now());
        switch (frame.kind()) {
            case WELCOME -> welcome(from, frame);
            case REFUSED -> {
                LOG.warn("dataCenter={}: {} refuses this node: {}", name, from.address, frame.text());
                ended(from, frame.text());
            }
            case LEAVING -> retire(from);
            case ANSWER, FAILURE -> answer(frame);
            default -> {} // a pong, or a kind of a later version
        }
        if (from.leaving && !outbox.hasUnderWay()) {
            ended(from, "its node leaves");
        }
    }

    /** Sends no more messages to a node that leaves; when its asks are answered, the link connects to another node. */
    private static void retire(Connection from) {
        from.leaving = true;
        from.welcome = false;
    }

    private void answer(Frame frame) {
        var answer = outbox.settle(frame.number());
        if (answer != null && frame.kind() == Frame.Kind.ANSWER) {
            answer.answered(frame.payload());
        } else if (answer != null) {
            answer.failed(frame.toFailure());
        }
    }

    private void welcome(Connection from, Frame frame) {
        if (!frame.type().equals(name)) {
            LOG.warn("dataCenter={}: {} is a node of data center {}", name, from.address, frame.type());
            ended(from, "another data center");
            return;
        }
        from.welcome = true;
        carryOut(watch.connected(from.attempt, clock.now()));
        LOG.info("dataCenter={}: connected to {}", name, from.address);
        outbox.takeWaiting().forEach(message -> write(from, message));
    }

    private void ended(Connection gone, String why) {
        if (connection != gone) {
            return;
        }
        lastEnd = gone.address + ": " + why;
        release(gone);
        carryOut(watch.ended(gone.attempt, clock.now()));
    }

    /** Drops a connection; the asks that were sent over it may have been executed. */
    private void release(Connection gone) {
        connection = null;
        if (gone.socket != null) {
            gone.socket.close();
        }
        outbox.endUnderWay(new ShardingException(
                FailureCode.OUTCOME_UNKNOWN, "the connection to data center " + name + " ended before the answer"));
    }

    private void announce(boolean reachable) {
        reachability = watch.reachability();
        if (reachable) {
            LOG.info("dataCenter={}: reachable", name);
        } else {
            LOG.warn(
                    "dataCenter={}: unreachable: no node of {} answers, messages to it fail until one does ({})",
                    name,
                    addresses.stream().map(address -> address.named(0)).toList(),
                    lastEnd);
            outbox.endWaiting(unreachable());
        }
        listeners.accept(new DataCenterEvent(name, reachable));
    }

    /** Ends the link. Asks that were sent fail with OUTCOME_UNKNOWN, waiting messages with DATA_CENTER_UNREACHABLE. */
    Future<Void> close() {
        var done = ((VertxInternal) vertx).<Void>promise();
        context.runOnContext(now -> {
            shut();
            client.close().onComplete(done);
        });
        return done.future();
    }

    private void shut() {
        closed = true;
        vertx.cancelTimer(timer);
        if (connection != null) {
            release(connection);
        }
        outbox.endWaiting(unreachable());
    }
}
