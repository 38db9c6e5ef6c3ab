package io.shardbus.membership;

import java.lang.reflect.Field;
import java.util.Map;
import org.infinispan.conflict.impl.InternalConflictManager;
import org.infinispan.conflict.impl.StateReceiver;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.topology.CacheTopology;

/**
 * Ends a resolution of conflicts that can only time out. After a merge the coordinator of a cache fetches the entries
 * of all sides, segment by segment. If the cluster splits again meanwhile, the answer to a request is lost, as it was
 * made for an earlier topology. The resolution after the next merge then waits for the earlier one: Infinispan runs one
 * at a time and does not end it before {@code stateTransfer().timeout()}, four minutes. Until then the cache does not
 * come to rest: a node of the merged side is no member of the cache, and a node that leaves waits.
 */
final class OutdatedResolution {
    private OutdatedResolution() {}

    /**
     * Cancels the requests of a resolution for an earlier topology than this one; a resolution for this one continues.
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
