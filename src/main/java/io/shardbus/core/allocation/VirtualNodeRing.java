package io.shardbus.core.allocation;

import io.shardbus.model.NodeId;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A ring of signed 64-bit positions on which every region stands at several places, its virtual nodes; a shard belongs
 * to the next virtual node at or after its own position.
 *
 * <p>The positions are part of the contract, because entity types and releases that compute the same ones keep shards
 * together: virtual node {@code i} of a region stands at {@code mix(fnv(id + "#" + i))} and shard {@code s} at
 * {@code mix(fnv("shard-" + s))}, where {@code fnv} is the 64-bit FNV-1a hash over the UTF-16 units, low byte before
 * high byte, and {@code mix} is the finalizer of SplitMix64.
 */
public final class VirtualNodeRing implements HashRing {
    /** The number of virtual nodes of a region unless another is chosen. */
    public static final int DEFAULT_VIRTUAL_NODES = 10;

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final int virtualNodes;

    private record VirtualNode(long position, NodeId region) {}

    /** A ring with {@value #DEFAULT_VIRTUAL_NODES} virtual nodes for each region. */
    public VirtualNodeRing() {
        this(DEFAULT_VIRTUAL_NODES);
    }

    /**
     * @param virtualNodes for each region, at least 1; more of them spread the shards more evenly
     */
    public VirtualNodeRing(int virtualNodes) {
        if (virtualNodes < 1) {
            throw new IllegalArgumentException("a region needs at least 1 virtual node, not " + virtualNodes);
        }
        this.virtualNodes = virtualNodes;
    }

    @Override
    public IntFunction<NodeId> among(Set<NodeId> regions) {
        if (regions.isEmpty()) {
            throw new IllegalArgumentException("a ring needs at least one region");
        }
        List<VirtualNode> ring = regions.stream()
                .flatMap(region -> IntStream.range(0, virtualNodes).mapToObj(i -> virtualNode(region, i)))
                .sorted(Comparator.comparingLong(VirtualNode::position).thenComparing(VirtualNode::region))
                .toList();
        return shard -> nextFrom(position("shard-" + shard), ring).region();
    }

    private static VirtualNode virtualNode(NodeId region, int number) {
        return new VirtualNode(position(region.value() + "#" + number), region);
    }

    private static VirtualNode nextFrom(long position, List<VirtualNode> ring) {
        int low = 0;
        int high = ring.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ring.get(middle).position() < position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return ring.get(low == ring.size() ? 0 : low);
    }

    private static long position(String name) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ (name.charAt(i) & 0xff)) * FNV_PRIME;
            hash = (hash ^ (name.charAt(i) >>> 8)) * FNV_PRIME;
        }
        return mix(hash);
    }

    private static long mix(long hash) {
        long mixed = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
