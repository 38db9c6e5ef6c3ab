package io.shardbus.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The paths that the command line asks for. */
class NodeHttpTest {
    private static String entity(String type, String id) {
        return NodeHttp.visible("/types/" + NodeHttp.segment(type) + "/entities/" + NodeHttp.segment(id));
    }

    @Test
    @DisplayName("a type or an entity named by dots alone is named in the query, any other one in the path")
    void namesDotsInTheQuery() {
        assertEquals("/types/door/entities/-?id=%2E%2E", entity("door", ".."));
        assertEquals("/types/-/entities/-?type=%2E&id=%2E%2E", entity(".", ".."));
        assertEquals(
                "/types/-/plan?type=%2E&action=rebalance",
                NodeHttp.visible("/types/" + NodeHttp.segment(".") + "/plan?action=rebalance"));
        assertEquals("/events?after=%2E", NodeHttp.visible("/events?after=" + NodeHttp.segment(".")));
        assertEquals("/types/types/entities/%2Ea", NodeHttp.visible("/types/types/entities/%2Ea"));
    }
}
