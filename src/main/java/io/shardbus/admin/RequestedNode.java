package io.shardbus.admin;

import io.shardbus.model.NodeId;

/** The node that a path or a query names; the receiver of the request checks that it is a member. */
final class RequestedNode {
    private RequestedNode() {}

    static NodeId of(String name) {
        if (name.isBlank()) {
            throw JsonBody.refused("the name of the node is empty: GET api/v1/nodes lists them");
        }
        return new NodeId(name);
    }
}
