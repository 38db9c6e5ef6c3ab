package io.shardbus.datacenter;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.logging.LogPace;
import io.shardbus.model.FailureCode;
import io.shardbus.options.DataCenterOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.transport.direct.FrameCutter;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes messages from nodes of other data centers and passes them to entities of this one. Messages of one connection
 * are passed on in the order in which they arrive. A connection whose peer does not read its answers is paused. A node
 * that is about to leave answers a ping or a greeting with LEAVING, and still handles messages until it has left.
 */
final class DataCenterServer {
    private static final Logger LOG = LoggerFactory.getLogger(DataCenterServer.class);
    private static final long LONGEST_ASK_MS = Duration.ofDays(1).toMillis();

    private final ClusterSharding sharding;
    private final String self;
    private final int maxPending;
    private final int mostFrameBytes;
    private final Function<String, @Nullable SharedType<?>> types;
    private final NetServer server;
    private final LongAdder refusedTells = new LongAdder();
    private final LogPace pace = new LogPace(new ElapsedClock()::now);

    /** @param types the shared type of a name; null if there is none */
    DataCenterServer(
            ClusterSharding sharding,
            DataCenterOptions options,
            NetServer server,
            int mostFrameBytes,
            Function<String, @Nullable SharedType<?>> types) {
        this.sharding = sharding;
        this.self = options.getName();
        this.maxPending = options.getMaxPending();
        this.mostFrameBytes = mostFrameBytes;
        this.types = types;
        this.server =
                server.connectHandler(socket -> new Inbound(socket).open()).exceptionHandler(this::warnOfHandshake);
    }

    /** A connection is closed when nothing has arrived on it for twice {@code unreachableAfterMs}. */
    static NetServerOptions options(DataCenterOptions options) {
        var net = new NetServerOptions().setHost(options.getHost()).setPort(options.getPort());
        net.setReadIdleTimeout((int) (2 * options.getUnreachableAfterMs()));
        net.setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
        return net;
    }

    /** Omits the text of the failure, which may contain received bytes. */
    private void warnOfHandshake(Throwable failure) {
        if (pace.admits()) {
            LOG.warn(
                    "dataCenter={}: a connection failed before its greeting: {}{}",
                    self,
                    failure.getClass().getSimpleName(),
                    pace.note());
        }
    }

    Future<DataCenterServer> listen() {
        return server.listen().map(this);
    }

    int port() {
        return server.actualPort();
    }

    long refusedTells() {
        return refusedTells.sum();
    }

    Future<Void> close() {
        return server.close();
    }

    /** One connection of a node of another data center. */
    private final class Inbound {
        private final NetSocket socket;
        private final FrameCutter cutter = new FrameCutter(mostFrameBytes, in -> take(Frame.decode(in)));
        private boolean greeted;
        private int asks;

        Inbound(NetSocket socket) {
            this.socket = socket;
        }

        void open() {
            socket.handler(this::read);
            socket.exceptionHandler(failure -> LOG.debug("connection of {}", socket.remoteAddress(), failure));
        }

        private void read(Buffer chunk) {
            try {
                cutter.take(chunk);
            } catch (WireFormatException e) {
                if (pace.admits()) {
                    LOG.warn(
                            "dataCenter={}: {} sent a malformed frame, connection closed: {}{}",
                            self,
                            socket.remoteAddress(),
                            e.getMessage(),
                            pace.note());
                }
                socket.close();
            } catch (RuntimeException | Error e) {
                // the frames after this one are lost: later ones must not be taken for the next
                socket.close();
                throw e;
            }
            if (socket.writeQueueFull()) {
                socket.pause();
                socket.drainHandler(drained -> socket.resume());
            }
        }

        private void take(Frame frame) {
            if (!greeted) {
                greet(frame);
                return;
            }
            switch (frame.kind()) {
                case PING -> write(sharding.isLeaving() ? Frame.leaving() : Frame.pong());
                case TELL -> tell(frame);
                case ASK, START -> ask(frame);
                default -> {} // a kind of a later version
            }
        }

        private void greet(Frame frame) {
            if (frame.kind() != Frame.Kind.HELLO) {
                throw new WireFormatException("a greeting is missing");
            }
            if (!frame.id().equals(self)) {
                refuse("this is data center " + self + ", not " + frame.id());
            } else if (frame.number() != Frame.VERSION) {
                refuse("this node speaks links of version " + Frame.VERSION + " only, not " + frame.number());
            } else if (sharding.isLeaving()) {
                write(Frame.leaving());
            } else {
                greeted = true;
                write(Frame.welcome(self));
            }
        }

        private void refuse(String why) {
            if (pace.admits()) {
                LOG.warn("dataCenter={}: refused {}: {}{}", self, socket.remoteAddress(), why, pace.note());
            }
            write(Frame.refused(why)).onComplete(written -> socket.close());
        }

        private Future<Void> write(Frame frame) {
            return socket.write(FrameCutter.framed(frame.encode()));
        }

        private void tell(Frame frame) {
            try {
                tell(shared(frame), frame);
            } catch (ShardingException e) {
                refusedTells.increment();
                if (pace.admits()) {
                    LOG.warn(
                            "type={}: a message of another data center is refused: {}{}",
                            frame.type(),
                            e.getLocalizedMessage(),
                            pace.note());
                }
            }
        }

        private <M> void tell(SharedType<M> type, Frame frame) {
            entity(type, frame).tell(type.decodeMessage(frame.payload()));
        }

        private void ask(Frame frame) {
            if (asks >= maxPending) {
                write(Frame.failure(
                        frame.number(),
                        new ShardingException(
                                FailureCode.REGION_BUFFER_FULL,
                                "more than maxPending (" + maxPending + ") asks of one node are under way")));
                return;
            }
            asks++;
            answer(frame).onComplete(result -> {
                asks--;
                write(result.succeeded() ? result.result() : Frame.failure(frame.number(), result.cause()));
            });
        }

        private Future<Frame> answer(Frame frame) {
            try {
                return answer(shared(frame), frame);
            } catch (ShardingException e) {
                return Future.failedFuture(e);
            }
        }

        private <M> Future<Frame> answer(SharedType<M> type, Frame frame) {
            var entity = entity(type, frame);
            if (frame.kind() == Frame.Kind.START) {
                return entity.start().map(location -> Frame.answer(frame.number(), type.encodeAnswer(location)));
            }
            var timeout = Duration.ofMillis(Math.max(1, Math.min(LONGEST_ASK_MS, frame.timeout())));
            return entity.request(type.decodeMessage(frame.payload()), Object.class, timeout)
                    .map(answer -> Frame.answer(frame.number(), type.encodeAnswer(answer)));
        }

        private SharedType<?> shared(Frame frame) {
            var type = types.apply(frame.type());
            if (type == null) {
                throw new ShardingException(
                        FailureCode.UNKNOWN_TYPE,
                        "type '" + frame.type() + "' is neither started nor shared by the DataCenters of the node of"
                                + " data center " + self);
            }
            return type;
        }

        private <M> EntityRef<M> entity(SharedType<M> type, Frame frame) {
            return sharding.entityRef(type.type(), frame.id());
        }
    }
}
