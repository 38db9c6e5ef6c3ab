package io.shardbus.membership.detection;

import java.util.Map;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.UFC;
import org.jgroups.util.Credit;

/**
 * UFC that also gives credits to senders that are not in this member's view. The stock protocol does not answer a
 * sender that left the view while it was frozen (JGRP-3036) and still has this member in its own view: its threads
 * wait for credits until its view changes, and a merge may need one of them. Nodes with this and nodes with the stock
 * protocol understand each other.
 */
public final class UnicastCredits extends UFC {
    public UnicastCredits() {
        Overrides.require(UnicastCredits.class);
        setId(ClassConfigurator.getProtocolId(UFC.class));
    }

    @Override
    protected void handleCreditRequest(Map<Address, Credit> accounts, Address sender, long wanted) {
        if (sender == null || accounts.containsKey(sender)) {
            super.handleCreditRequest(accounts, sender, wanted);
        } else {
            sendCredit(sender, wanted);
        }
    }
}
