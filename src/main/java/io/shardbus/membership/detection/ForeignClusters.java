package io.shardbus.membership.detection;

import io.shardbus.logging.PrintableText;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jgroups.Message;
import org.jgroups.protocols.PingData;
import org.jgroups.protocols.PingHeader;
import org.jgroups.protocols.TP;
import org.jgroups.protocols.TpHeader;
import org.jgroups.util.ByteArrayDataInputStream;
import org.jgroups.util.MaxOneThreadPerSender;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transport's usual policy for received messages, which also logs a search for peers by a node of another cluster:
 * most often one of the two has a wrong cluster name. The stock transport names such a node by a number only. One line
 * for each address and cluster, {@value #MOST} lines at most.
 */
public final class ForeignClusters extends MaxOneThreadPerSender {
    private static final Logger LOG = LoggerFactory.getLogger(ForeignClusters.class);
    private static final int MOST = 32;

    private final Set<String> named = ConcurrentHashMap.newKeySet();

    public ForeignClusters() {
        Overrides.prefer(ForeignClusters.class);
    }

    /**
     * Replaces the usual policy of an initialised transport, if the transport has a setter: JGroups 5.5.1 does not load
     * the class named by its attribute {@code message_processing_policy}. JGroups 5.2 loads it, and has no setter.
     */
    static void install(TP transport) throws ReflectiveOperationException {
        var setter = Stream.of(TP.class.getMethods())
                .filter(method -> method.getName().equals("msgProcessingPolicy") && method.getParameterCount() == 1)
                .findFirst();
        if (setter.isPresent() && transport.getMessageProcessingPolicy().getClass() == MaxOneThreadPerSender.class) {
            var policy = new ForeignClusters();
            setter.get().invoke(transport, policy);
            policy.init(transport);
        }
    }

    @Override
    public boolean process(Message message, boolean outOfBand) {
        TpHeader sent = message.getHeader(tp_id);
        var own = tp.getClusterNameAscii();
        if (sent == null || own == null || own.equals(sent.getClusterName()) || !isSearch(message)) {
            return super.process(message, outOfBand);
        }
        name(message, PrintableText.of(new String(sent.getClusterName(), StandardCharsets.ISO_8859_1)), own.toString());
        return false; // the transport would drop it
    }

    private static boolean isSearch(Message message) {
        return message.hasArray()
                && Stream.of(message.getHeaders().values().toArray()).anyMatch(PingHeader.class::isInstance);
    }

    private void name(Message search, String cluster, String own) {
        String place = PrintableText.of(place(search));
        if (named.size() < MOST && named.add(place + " " + cluster)) {
            LOG.warn(
                    "The node at {} belongs to cluster '{}', this node to cluster '{}': they do not meet. Set the same"
                            + " clusterName on both; or, if they are meant to be apart, take its address out of the"
                            + " peers.",
                    place,
                    cluster,
                    own);
        }
    }

    private static String place(Message search) {
        try {
            // JGroups 5.2 writes one byte before the data; 5.5 the number of data, in four bytes
            int skipped = search.getArray()[search.getOffset()] == 0 ? Integer.BYTES : Byte.BYTES;
            var sender = new PingData();
            sender.readFrom(new ByteArrayDataInputStream(
                    search.getArray(), search.getOffset() + skipped, search.getLength() - skipped));
            return sender.getPhysicalAddr() + " (" + sender.getLogicalName() + ")";
        } catch (Exception unreadable) {
            // written by another release of JGroups
            return String.valueOf(search.getSrc());
        }
    }
}
