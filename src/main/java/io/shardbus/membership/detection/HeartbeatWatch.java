package io.shardbus.membership.detection;

import io.shardbus.model.LossReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.annotations.Property;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.VERIFY_SUSPECT;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.MessageBatch;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * FD_ALL3 that also notices a dead link between two members while the first member of the view hears both. The stock
 * protocol suspects no member then: the view stays, every replicated write waits for an acknowledgement that cannot
 * arrive, and the whole cluster loses its leases. Here each member reports to the first one, at each check, which
 * members it does not hear. When both ends report a link, the first member excludes one of the two, and the others go
 * on. A member that the first one does not hear itself is left to FD_ALL3. Nodes with this and with the stock protocol
 * are compatible: the stock protocol takes a report for a heartbeat.
 */
public final class HeartbeatWatch extends FD_ALL3 {
    /** Time to wait for further reports: they show which member has several dead links and is to be excluded. */
    @Property(
            description = "how long further reports are awaited when both ends of a link do not hear each other, in ms")
    private long gathering = 500;

    /** Time without merges: a member that still hears both ends would merge them at once, and exclude one again. */
    @Property(
            description =
                    "how long a member that has excluded another for its links, and that one, begin no merge, in ms")
    private long hold = 10_000;

    /** Reports by members about members that have not expired, each with the number of its last repetition. */
    private final Map<BrokenLink<Address>, Long> reports = new ConcurrentHashMap<>();

    /** When each other member was last heard, or became a member; nanoseconds of the stack's clock. */
    private final Map<Address, Long> heard = new ConcurrentHashMap<>();

    private final AtomicLong numbers = new AtomicLong();
    private final AtomicBoolean deciding = new AtomicBoolean();
    private final AtomicInteger holds = new AtomicInteger();
    private volatile List<Address> present = List.of();

    public HeartbeatWatch() {
        Overrides.require(HeartbeatWatch.class);
        setId(ClassConfigurator.getProtocolId(FD_ALL3.class));
    }

    @Override
    protected void handleViewChange(View view) {
        present = List.copyOf(view.getMembers());
        reports.clear();
        heard.keySet().retainAll(present);
        long now = time();
        present.stream().filter(member -> !member.equals(local_addr)).forEach(member -> heard.putIfAbsent(member, now));
        super.handleViewChange(view);
    }

    /**
     * Members from which nothing has arrived for two heartbeats or longer, by name, with that time in milliseconds,
     * accurate to about half a second. Empty if the stack has the stock protocol. Any thread.
     */
    public static Map<String, Long> unheard(ProtocolStack stack) {
        return stack.findProtocol(HeartbeatWatch.class) instanceof HeartbeatWatch watch ? watch.unheard() : Map.of();
    }

    private Map<String, Long> unheard() {
        long now = time();
        Map<String, Long> silent = new TreeMap<>();
        heard.forEach((member, at) -> {
            long millis = TimeUnit.NANOSECONDS.toMillis(now - at);
            if (millis >= 2 * interval) {
                silent.put(LossReasons.name(member), millis);
            }
        });
        return silent;
    }

    private long time() {
        return getTransport().getTimeService().timestamp();
    }

    private void hear(@Nullable Address member) {
        if (member != null) {
            long now = time();
            heard.computeIfPresent(member, (known, before) -> now);
        }
    }

    /** Called at each check with all members that were not heard within the timeout. */
    @Override
    protected void suspect(List<Address> unheard) {
        LossReasons.note(this, unheard, LossReason.HEARTBEAT);
        super.suspect(unheard);
        var members = present;
        if (!members.isEmpty() && !members.get(0).equals(local_addr) && !unheard.contains(members.get(0))) {
            tell(members.get(0), unheard);
        }
    }

    private void tell(Address member, Collection<Address> unheard) {
        try {
            var bytes = new ByteArrayDataOutputStream();
            Util.writeAddresses(unheard, bytes);
            down_prot.down(new BytesMessage(member, bytes.getBuffer())
                    .setFlag(Message.Flag.OOB)
                    .putHeader(id, new HeartbeatHeader()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public @Nullable Object up(Event event) {
        return event.getType() == Event.MERGE && holds.get() > 0 ? null : super.up(event);
    }

    @Override
    public Object up(Message message) {
        hear(message.getSrc());
        read(message);
        return super.up(message);
    }

    @Override
    public void up(MessageBatch batch) {
        hear(batch.getSender());
        batch.forEach(this::read);
        super.up(batch);
    }

    private void read(Message message) {
        if (message.getHeader(id) == null || message.getLength() == 0) {
            return;
        }
        try {
            var bytes = new ByteArrayDataInputStream(message.getArray(), message.getOffset(), message.getLength());
            told(message.getSrc(), Util.readAddresses(bytes, ArrayList::new));
        } catch (IOException | ClassNotFoundException e) {
            log.warn("%s: ignoring a malformed report of %s: %s", local_addr, message.getSrc(), e);
        }
    }

    private void told(Address teller, Collection<Address> unheard) {
        var members = present;
        if (unheard.contains(local_addr)) { // the first member has excluded this one
            holdMerges();
            var unused = timer.schedule(() -> goOnAlone(members), 2 * timeout, TimeUnit.MILLISECONDS);
        } else if (members.contains(teller)) {
            unheard.stream().filter(members::contains).forEach(member -> report(new BrokenLink<>(teller, member)));
        }
    }

    private void report(BrokenLink<Address> link) {
        long number = numbers.incrementAndGet();
        reports.put(link, number);
        var unusedEnd = timer.schedule(() -> expire(link, number), 2 * interval, TimeUnit.MILLISECONDS);
        if (reports.containsKey(link.reverse()) && deciding.compareAndSet(false, true)) {
            var unused = timer.schedule(this::decide, gathering, TimeUnit.MILLISECONDS);
        }
    }

    private void decide() {
        deciding.set(false);
        var members = present;
        var fresh = Set.copyOf(reports.keySet());
        if (!local_addr.equals(members.get(0))) {
            return;
        }
        var without = BrokenLink.without(members, fresh);
        if (!without.isEmpty()) {
            log.warn("%s: going on without %s, since members do not hear each other: %s", local_addr, without, fresh);
            holdMerges();
            LossReasons.note(this, without, LossReason.LINK);
            without.forEach(member -> tell(member, without));
            aboveVerification().up(new Event(Event.SUSPECT, without));
        }
    }

    /**
     * Makes the excluded member leave the old view itself. The first member still answers it, so it would otherwise
     * keep that view, and a connection that delivers nothing, until the merge, when its leases may have expired.
     */
    private void goOnAlone(List<Address> lost) {
        if (present.equals(lost)) {
            log.warn("%s: going on alone, excluded by %s", local_addr, lost.get(0));
            var others =
                    lost.stream().filter(member -> !member.equals(local_addr)).toList();
            LossReasons.note(this, others, LossReason.LINK);
            aboveVerification().up(new Event(Event.SUSPECT, others));
        }
    }

    /** Removes a report that was not repeated for two checks. */
    private void expire(BrokenLink<Address> link, long number) {
        reports.remove(link, number);
    }

    private void holdMerges() {
        holds.incrementAndGet();
        var unused = timer.schedule(holds::decrementAndGet, hold, TimeUnit.MILLISECONDS);
    }

    /**
     * The protocol above the verification of suspects, which is bypassed: its ping would find the excluded member alive
     * although one of its links is dead.
     */
    private Protocol aboveVerification() {
        var above = up_prot;
        while (above instanceof VERIFY_SUSPECT2 || above instanceof VERIFY_SUSPECT) {
            above = above.getUpProtocol();
        }
        return above;
    }
}
