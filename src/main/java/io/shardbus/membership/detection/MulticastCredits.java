package io.shardbus.membership.detection;

import java.util.Map;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.MFC;
import org.jgroups.util.Credit;

/** MFC that also gives credits to senders outside this member's view, as {@link UnicastCredits} does. */
public final class MulticastCredits extends MFC {
    public MulticastCredits() {
        Overrides.require(MulticastCredits.class);
        setId(ClassConfigurator.getProtocolId(MFC.class));
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
