package io.shardbus.membership.detection;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.VERIFY_SUSPECT2;

/**
 * VERIFY_SUSPECT2 that gives every suspect exactly the timeout to answer. The stock protocol compares two unrelated
 * clocks (JGRP-2943): a member that is suspected while another verification is under way is excluded when that one
 * ends, even if it ends at once. Nodes with this and with the stock protocol are compatible.
 */
public final class SuspectCheck extends VERIFY_SUSPECT2 {
    /** Deadline of each suspect's answer, in ns of the monotonic clock, as the time of day may be set meanwhile. */
    private final Map<Address, Long> asked = new HashMap<>();
    /** Signs of the loss of members. */
    final LossReasons reasons = new LossReasons();

    public SuspectCheck() {
        Overrides.require(SuspectCheck.class);
        setId(ClassConfigurator.getProtocolId(VERIFY_SUSPECT2.class));
    }

    @Override
    public Object down(Event event) {
        if (event.getType() == Event.VIEW_CHANGE) {
            retain(event.<View>getArg().getMembers());
        }
        return super.down(event);
    }

    private synchronized void retain(List<Address> members) {
        asked.keySet().retainAll(members);
    }

    @Override
    protected synchronized boolean addSuspects(Collection<Address> members) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeout);
        members.forEach(member -> asked.putIfAbsent(member, until));
        return !asked.isEmpty();
    }

    @Override
    protected synchronized boolean removeSuspect(Address member) {
        reasons.refuted(member);
        return asked.remove(member) != null;
    }

    /** Waits for answers and excludes silent members, until no suspect is left. */
    @Override
    public void run() {
        for (var left = left(); left.isPresent(); left = left()) {
            LockSupport.parkNanos(left.getAsLong());
            var silent = silent();
            if (!silent.isEmpty()) {
                log.debug("%s: no answer of %s", local_addr, silent);
                exclude(silent);
            }
        }
    }

    /** Time until the first deadline, in ns; empty if there is no suspect. */
    private synchronized OptionalLong left() {
        long now = System.nanoTime();
        var first = running
                ? asked.values().stream().mapToLong(until -> until - now).min()
                : OptionalLong.empty();
        running = first.isPresent();
        return first;
    }

    private synchronized List<Address> silent() {
        long now = System.nanoTime();
        var silent = asked.entrySet().stream()
                .filter(entry -> entry.getValue() - now <= 0)
                .map(Map.Entry::getKey)
                .toList();
        silent.forEach(asked::remove);
        return silent;
    }

    private void exclude(List<Address> silent) {
        try {
            up_prot.up(new Event(Event.SUSPECT, silent));
        } catch (RuntimeException e) {
            log.error("%s: %s could not be excluded: %s", local_addr, silent, e);
        }
    }

    @Override
    public synchronized String getSuspects() {
        return asked.keySet().toString();
    }

    @Override
    public synchronized void stop() {
        asked.clear();
        super.stop();
    }
}
