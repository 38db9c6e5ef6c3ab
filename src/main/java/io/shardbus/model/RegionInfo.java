package io.shardbus.model;

import java.util.Objects;

/**
 * A region that hosts shards, as an allocation strategy sees it.
 *
 * @param node the node of the region
 * @param appVersion the version of the application on that node; numbers in versions are compared as numbers
 * @param status whether the node stays
 */
public record RegionInfo(NodeId node, String appVersion, MemberStatus status) {
    public RegionInfo {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(appVersion, "appVersion");
        Objects.requireNonNull(status, "status");
    }

    /** A region whose node stays. */
    public static RegionInfo up(NodeId node, String appVersion) {
        return new RegionInfo(node, appVersion, MemberStatus.UP);
    }

    /** Whether the node of this region stays in the cluster. */
    public boolean stays() {
        return status == MemberStatus.UP;
    }
}
