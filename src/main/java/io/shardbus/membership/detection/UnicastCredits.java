package io.shardbus.membership.detection;

import java.util.Map;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.UFC;
import org.jgroups.util.Credit;

/**
 * UFC that also gives credits to senders outside this member's view. A sender that was removed from the view while it
 * was frozen still has this member in its own view. The stock protocol does not answer it (JGRP-3036), so its threads
 * wait for credits until its view changes, and the merge may need one of them. Nodes with this and with the stock
 * protocol are compatible.
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
