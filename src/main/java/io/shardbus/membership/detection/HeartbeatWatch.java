package io.shardbus.membership.detection;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.annotations.Property;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.BasicTCP;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.VERIFY_SUSPECT;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * FD_ALL3 that notices a dead link between two members which the first member of the view both hears. The stock one says nothing
 * then: the view stays, every replicated write waits for an acknowledgement that cannot come, and the whole cluster loses its
 * leases. Here a member tells the first one whom it does not hear, and that one excludes one of the two, so that the rest can
 * go on. Nodes with this and nodes with the stock protocol understand each other: to the stock one a report is a heartbeat.
 */
public final class HeartbeatWatch extends FD_ALL3 {
    /** Both ends of a link report, and a member that nobody hears is reported by all. As long as a suspicion is verified otherwise. */
    @Property(description = "how long reports of unheard members are gathered before one is excluded, in ms")
    private long gathering = 500;

    /** Whoever still hears both ends would let them meet again at once, only to exclude one again. */
    @Property(description = "how long no merge is begun here after a broken link was met, in ms")
    private long hold = 10_000;

    private final Set<BrokenLink<Address>> broken = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean gatherings = new AtomicBoolean();
    private final AtomicInteger holds = new AtomicInteger();
    private volatile List<Address> present = List.of();

    public HeartbeatWatch() {
        setId(ClassConfigurator.getProtocolId(FD_ALL3.class));
    }

    @Override
    protected void handleViewChange(View view) {
        present = List.copyOf(view.getMembers());
        super.handleViewChange(view);
    }

    @Override
    protected void suspect(List<Address> suspects) {
        super.suspect(suspects);
        var members = present;
        closeConnections(members, suspects);
        if (!members.isEmpty() && !members.get(0).equals(local_addr) && !suspects.contains(members.get(0))) {
            report(suspects, members.get(0));
        }
    }

    /**
     * What was sent into the gap is repeated by the kernel ever more rarely, and nothing else gets through before. A new
     * connection takes a second when the link is mended.
     */
    private void closeConnections(List<Address> members, List<Address> suspects) {
        if (getTransport() instanceof BasicTCP transport) {
            var heard = members.stream()
                    .filter(member -> !suspects.contains(member))
                    .map(member -> (Address) down_prot.down(new Event(Event.GET_PHYSICAL_ADDRESS, member)))
                    .filter(Objects::nonNull)
                    .toList();
            transport.retainAll(heard);
        }
    }

    private void holdMerges() {
        holds.incrementAndGet();
        var unused = timer.schedule(holds::decrementAndGet, hold, TimeUnit.MILLISECONDS);
    }

    @Override
    public @Nullable Object up(Event event) {
        return event.getType() == Event.MERGE && holds.get() > 0 ? null : super.up(event);
    }

    private void report(List<Address> unheard, Address first) {
        holdMerges();
        try {
            var bytes = new ByteArrayDataOutputStream();
            Util.writeAddresses(unheard, bytes);
            down_prot.down(new BytesMessage(first, bytes.getBuffer())
                    .setFlag(Message.Flag.OOB)
                    .putHeader(id, new HeartbeatHeader()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Object up(Message message) {
        read(message);
        return super.up(message);
    }

    @Override
    public void up(MessageBatch batch) {
        batch.forEach(this::read);
        super.up(batch);
    }

    private void read(Message message) {
        if (message.getHeader(id) == null || message.getLength() == 0) {
            return;
        }
        try {
            var bytes = new ByteArrayDataInputStream(message.getArray(), message.getOffset(), message.getLength());
            var unheard = Util.readAddresses(bytes, ArrayList::new);
            unheard.forEach(member -> broken.add(new BrokenLink<>(message.getSrc(), member)));
        } catch (IOException | ClassNotFoundException e) {
            log.warn("%s: a report of %s means nothing: %s", local_addr, message.getSrc(), e);
            return;
        }
        if (gatherings.compareAndSet(false, true)) {
            var unused = timer.schedule(this::decide, gathering, TimeUnit.MILLISECONDS);
        }
    }

    private void decide() {
        gatherings.set(false);
        var links = List.copyOf(broken);
        broken.clear();
        var members = present;
        if (members.isEmpty() || !members.get(0).equals(local_addr)) {
            return;
        }
        var without = BrokenLink.without(members, links);
        if (!without.isEmpty()) {
            log.warn("%s: going on without %s, since members do not hear each other: %s", local_addr, without, links);
            holdMerges();
            aboveVerification().up(new Event(Event.SUSPECT, without));
        }
    }

    /** Whoever is asked here whether he lives says yes: that is not the question. */
    private Protocol aboveVerification() {
        var above = up_prot;
        while (above instanceof VERIFY_SUSPECT2 || above instanceof VERIFY_SUSPECT) {
            above = above.getUpProtocol();
        }
        return above;
    }
}
