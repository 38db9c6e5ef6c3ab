package io.shardbus.admin;

import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Set;

/**
 * A type or an entity that a request names in its path. Those named by dots alone are named in the query, with a hyphen
 * in the path: browsers, proxies and routers take such segments out of a path, also when they are percent-encoded. No
 * other name is taken from the query, so that what an authorizer reads in the path holds.
 */
final class RequestedName {
    private static final String IN_QUERY = "-";
    private static final Set<String> DOTS = Set.of(".", "..");

    private RequestedName() {}

    static String type(RoutingContext request) {
        return of(request, "type");
    }

    static String entity(RoutingContext request) {
        return of(request, "id");
    }

    private static String of(RoutingContext request, String parameter) {
        String inPath = request.pathParam(parameter);
        List<String> inQuery = request.queryParam(parameter);
        return IN_QUERY.equals(inPath) && inQuery.size() == 1 && DOTS.contains(inQuery.get(0))
                ? inQuery.get(0)
                : inPath;
    }
}
