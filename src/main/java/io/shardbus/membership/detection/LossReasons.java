package io.shardbus.membership.detection;

import io.shardbus.model.LossReason;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jgroups.Address;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.NameCache;
import org.jspecify.annotations.Nullable;

/**
 * The signs by which the failure detection of one stack has noticed losses, by the names of the last 256 lost members.
 * Kept by {@link SuspectCheck}, which knows which suspects have answered. Any thread.
 */
public final class LossReasons {
    private static final int MOST = 256;

    private final Map<String, LossReason> found = new LinkedHashMap<>();

    LossReasons() {}

    /** The reason why a member was lost, as this stack saw it; SUSPICION if it has none. */
    public static LossReason of(ProtocolStack stack, String member) {
        LossReasons reasons = in(stack);
        LossReason reason = reasons == null ? null : reasons.find(member);
        return reason == null ? LossReason.SUSPICION : reason;
    }

    private static @Nullable LossReasons in(@Nullable ProtocolStack stack) {
        return stack != null && stack.findProtocol(SuspectCheck.class) instanceof SuspectCheck check
                ? check.reasons
                : null;
    }

    /** Notes that a protocol of the stack has noticed the loss of members. */
    static void note(Protocol noticed, Collection<Address> members, LossReason reason) {
        LossReasons reasons = in(noticed.getProtocolStack());
        if (reasons != null) {
            members.forEach(member -> reasons.add(name(member), reason));
        }
    }

    static String name(Address member) {
        String known = NameCache.get(member);
        return known == null ? member.toString() : known;
    }

    synchronized void add(String member, LossReason reason) {
        if (reason == LossReason.LINK) {
            found.put(member, reason);
        } else {
            found.putIfAbsent(member, reason);
        }
        if (found.size() > MOST) {
            found.remove(found.keySet().iterator().next());
        }
    }

    synchronized @Nullable LossReason find(String member) {
        return found.get(member);
    }

    /** The member has answered, so it is not lost. */
    synchronized void refuted(Address member) {
        found.remove(name(member));
    }
}
