package io.shardbus.admin;

import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;

/**
 * Decides which requests to the admin resources may go on, for instance by the roles of {@code request.user()} that an
 * authentication handler before the router has set. A path names its type and its entity, with one exception: names of
 * one or two dots come as the query parameters {@code type} and {@code id}, and the path has {@code -} for them.
 */
@FunctionalInterface
public interface AdminAuthorizer {
    /**
     * Called on the request's event loop, before its body is read; not called for the health resources.
     *
     * @return true to let the request go on, false to have it answered with 403; a failure is answered with 500
     */
    Future<Boolean> isAllowed(RoutingContext request, AdminAction action);
}
