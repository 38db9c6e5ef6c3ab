package io.shardbus.transport.direct;

import io.shardbus.core.protocol.PeerLane;
import io.shardbus.integration.Await;
import io.shardbus.model.NodeId;
import io.shardbus.options.DirectOptions;
import io.shardbus.transport.seal.Seals;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A verticle with links, and a bus in the place of the event bus that a test can hold up, and whose messages it can
 * take away.
 */
final class LinkedLane extends VerticleBase {
    static final int MOST_BYTES = 100_000;
    /** A frame that the receiver of links throws at. */
    static final String FAULT = "fault";

    /** The lanes that hear each other. */
    static final class Bus {
        private final Map<PeerLane, LinkedLane> lanes = new ConcurrentHashMap<>();
        /** One node has one place for all its lanes. */
        private final Map<DirectOptions, DirectPlace> places = new ConcurrentHashMap<>();

        private final List<Runnable> held = new ArrayList<>();
        private Predicate<LinkNote> lost = note -> false;
        private boolean holds;

        DirectPlace place(Vertx vertx, DirectOptions options) {
            SecureRandom random = new SecureRandom();
            return places.computeIfAbsent(
                    options, same -> new DirectPlace(vertx, same, "127.0.0.1", null, random::nextLong));
        }

        synchronized void hold() {
            holds = true;
        }

        synchronized void release() {
            holds = false;
            held.forEach(Runnable::run);
            held.clear();
        }

        synchronized void lose(Predicate<LinkNote> notes) {
            lost = notes;
        }

        synchronized void send(PeerLane to, Buffer message) {
            LinkedLane lane = lanes.get(to);
            boolean gone = lane == null || LinkNote.isNote(message) && lost.test(LinkNote.read(message));
            if (gone) {
                return;
            }
            Runnable arrival = () -> lane.context.runOnContext(ignored -> lane.arrived(message));
            if (holds) {
                held.add(arrival);
            } else {
                arrival.run();
            }
        }
    }

    final PeerLane self;
    final List<String> received = new CopyOnWriteArrayList<>();
    final List<String> refusals = new CopyOnWriteArrayList<>();
    /** The threads on which frames came over links. */
    final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    final List<LinkNote> notes = new CopyOnWriteArrayList<>();
    private final Bus bus;
    private final DirectPlace place;
    private final @Nullable Seals seals;
    private LaneLinks links;
    private String deployment;
    private final AtomicInteger overBus = new AtomicInteger();
    private final AtomicInteger overLinks = new AtomicInteger();

    LinkedLane(Vertx vertx, Bus bus, String name, DirectOptions options, @Nullable Seals seals) {
        this.seals = seals;
        this.self = new PeerLane(new NodeId(name), 0);
        this.bus = bus;
        this.place = bus.place(vertx, options);
    }

    static LinkedLane deploy(Vertx vertx, Bus bus, String name, DirectOptions options) {
        return deploy(vertx, bus, name, options, null);
    }

    static LinkedLane deploy(Vertx vertx, Bus bus, String name, DirectOptions options, @Nullable Seals seals) {
        LinkedLane lane = new LinkedLane(vertx, bus, name, options, seals);
        lane.deployment = Await.result(vertx.deployVerticle((Deployable) lane, new DeploymentOptions()));
        return lane;
    }

    @Override
    public Future<?> start() {
        links = place.open(wiring());
        bus.lanes.put(self, this);
        return links.start();
    }

    LaneLinks.Wiring wiring() {
        return new LaneLinks.Wiring(self, MOST_BYTES, bus::send, frame -> overLink(frame), refusals::add, seals);
    }

    @Override
    public Future<?> stop() {
        bus.lanes.remove(self);
        return links.close();
    }

    void undeploy() {
        Await.result(vertx.undeploy(deployment));
    }

    private void overLink(Buffer frame) {
        if (frame.toString().equals(FAULT)) {
            throw new AssertionError("a fault of the receiver");
        }
        threads.add(Thread.currentThread());
        received.add(frame.toString());
    }

    private void arrived(Buffer message) {
        if (LaneLinks.isNote(message)) {
            notes.add(LinkNote.read(message));
            links.noted(message);
        } else {
            received.add(message.toString());
        }
    }

    /** Sends over the link if there is one, and says so. */
    boolean send(LinkedLane to, String frame) {
        return onLane(() -> {
            Buffer buffer = Buffer.buffer(frame);
            boolean taken = links.send(to.self, buffer, true);
            if (taken) {
                overLinks.incrementAndGet();
            } else {
                overBus.incrementAndGet();
                bus.send(to.self, buffer);
            }
            return taken;
        });
    }

    /** Sends until a frame goes over a link. */
    void link(LinkedLane to) {
        Await.until(() -> self + " has no link to " + to.self, () -> send(to, "."));
    }

    int overBus() {
        return overBus.get();
    }

    int overLinks() {
        return overLinks.get();
    }

    <T> T onLane(Supplier<T> task) {
        Promise<T> done = Promise.promise();
        context.runOnContext(ignored -> done.complete(task.get()));
        return Await.result(done.future());
    }

    LaneLinks links() {
        return links;
    }

    Context context() {
        return context;
    }

    Thread thread() {
        return onLane(Thread::currentThread);
    }

    /** Where others are told to connect, as the lane itself says when it is asked. */
    LinkNote offerTo(LinkedLane other) {
        List<LinkNote> before = other.offersOf(this);
        onLane(() -> {
            links.noted(LinkNote.ask(other.self, seals != null).write());
            return null;
        });
        Await.until(() -> "no offer", () -> other.offersOf(this).size() > before.size());
        return other.offersOf(this).get(before.size());
    }

    /** The port on which it listens; it is asked until it does. */
    int portFor(LinkedLane other) {
        Await.until(() -> "no offer", () -> {
            onLane(() -> {
                links.noted(LinkNote.ask(other.self, seals != null).write());
                return null;
            });
            return !other.offersOf(this).isEmpty();
        });
        return other.offersOf(this).get(0).port();
    }

    List<LinkNote> offersOf(LinkedLane lane) {
        return notes.stream()
                .filter(note -> note.kind() == LinkNote.OFFER && note.from().equals(lane.self))
                .toList();
    }
}
