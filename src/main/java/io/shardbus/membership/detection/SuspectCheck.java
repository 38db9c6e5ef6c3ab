package io.shardbus.membership.detection;

import java.util.Collection;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.VERIFY_SUSPECT2;

/**
 * VERIFY_SUSPECT2 that gives everybody its whole timeout to answer. The stock one compares two clocks that have nothing in
 * common (JGRP-2943): who is suspected while another question is under way is excluded when that one ends, be it at once. Nodes
 * with this and nodes with the stock protocol understand each other.
 */
public final class SuspectCheck extends VERIFY_SUSPECT2 {
    public SuspectCheck() {
        setId(ClassConfigurator.getProtocolId(VERIFY_SUSPECT2.class));
    }

    @Override
    protected synchronized boolean addSuspects(Collection<Address> members) {
        if (members == null) {
            return false;
        }
        long until = System.currentTimeMillis() + timeout;
        return suspects.addAll(
                members.stream().map(member -> new Entry(member, until)).toList());
    }
}
