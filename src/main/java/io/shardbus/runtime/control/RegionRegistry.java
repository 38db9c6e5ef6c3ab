package io.shardbus.runtime.control;

import io.shardbus.runtime.region.RegionControl;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The regions of this node that take part in the cluster, by type, in the order in which they came. */
final class RegionRegistry {
    private final Map<String, RegionControl<?>> regions = new LinkedHashMap<>();
    /** The reason why this node cannot work with those that run the cluster; for good once it is so. */
    private @Nullable String incompatible;
    /** Whether a region was removed whose code may still run. */
    private boolean unended;

    static String type(RegionControl<?> region) {
        return region.handle().type().name();
    }

    @Nullable
    RegionControl<?> get(String type) {
        return regions.get(type);
    }

    Collection<RegionControl<?>> all() {
        return regions.values();
    }

    void add(RegionControl<?> region) {
        regions.put(type(region), region);
    }

    /** Returns whether it was the region of its type. */
    boolean remove(RegionControl<?> region) {
        unended |= !region.ended().isComplete();
        return regions.remove(type(region), region);
    }

    /** Whether no region is here, and no code of earlier ones runs. */
    boolean isEnded() {
        return regions.isEmpty() && !unended;
    }

    /** The reason why this node hosts nothing; null if it may host. */
    @Nullable
    String incompatible() {
        return incompatible;
    }

    /** From now on this node hosts nothing; true for the first reason. */
    boolean refuse(String reason) {
        if (incompatible != null) {
            return false;
        }
        incompatible = reason;
        regions.values().forEach(region -> region.refuse(reason));
        return true;
    }
}
