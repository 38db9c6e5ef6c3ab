package io.shardbus.membership;

import java.lang.reflect.Field;
import java.util.Map;
import org.infinispan.conflict.impl.InternalConflictManager;
import org.infinispan.conflict.impl.StateReceiver;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.topology.CacheTopology;

/**
 * Ends a resolution of conflicts that waits for its time to be over. After a merge the coordinator of a cache fetches
 * what the members of all sides have, segment by segment. If the cluster parts again meanwhile, the answer to a request
 * is lost with the topology for which it was made, and the resolution for the next merge waits behind it: Infinispan
 * does one at a time, forgets the earlier one but does not end it, and waits for {@code stateTransfer().timeout()},
 * four minutes. Until then the cache does not come to rest: a node of the merged side does not count as a member, and a
 * node that leaves waits.
 */
final class OutdatedResolution {
    private OutdatedResolution() {}

    /**
     * Cancels what is requested for a topology before this one; a resolution for this one goes on.
     *
     * @return whether there was such a request
     */
    static boolean end(ComponentRegistry components, int topology) {
        StateReceiver<?, ?> receiver =
                components.getComponent(InternalConflictManager.class).getStateReceiver();
        boolean outdated = requests(receiver).values().stream().anyMatch(request -> topology(request) < topology);
        if (outdated) {
            receiver.cancelRequests();
        }
        return outdated;
    }

    static boolean isRequesting(StateReceiver<?, ?> receiver) {
        return !requests(receiver).isEmpty();
    }

    private static Map<?, ?> requests(StateReceiver<?, ?> receiver) {
        return (Map<?, ?>) field(receiver, "requestMap");
    }

    private static int topology(Object request) {
        return ((CacheTopology) field(request, "topology")).getTopologyId();
    }

    private static Object field(Object owner, String name) {
        try {
            Field field = owner.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(owner);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this version of Infinispan resolves conflicts in another way", e);
        }
    }
}
