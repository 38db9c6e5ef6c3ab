package io.shardbus.membership.detection;

import java.util.Map;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.UFC;
import org.jgroups.util.Credit;

/**
 * UFC that gives credits also to senders that are no members here. The stock one does not answer a sender that the view
 * has lost while he was frozen (JGRP-3036), and who still has this member in his own view: his threads wait for credits
 * until his view changes, and those that would take part in a merge may be among them. Nodes with this and nodes with
 * the stock protocol understand each other.
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
