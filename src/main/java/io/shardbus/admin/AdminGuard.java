package io.shardbus.admin;

import io.netty.util.NetUtil;
import io.shardbus.options.AdminOptions;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Checks ahead of the admin resources: they refuse requests that a page of another site can cause in an operator's
 * browser, changes where only reading is allowed, and what the authorizer refuses. All refusals are 403.
 */
final class AdminGuard {
    static final String HEADER = "X-Shardbus-Request";
    private static final String ANY_HOST = "*";

    private final AdminOptions options;
    private final @Nullable AdminAuthorizer authorizer;

    AdminGuard(AdminOptions options, @Nullable AdminAuthorizer authorizer) {
        this.options = options;
        this.authorizer = authorizer;
    }

    /** Sets the headers that keep browsers from running or framing what is not of this origin. */
    static void protect(RoutingContext request) {
        request.response()
                .putHeader("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'")
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer");
        request.next();
    }

    /** Lets a request that only reads pass. */
    Handler<RoutingContext> reading(AdminAction action) {
        return request -> {
            requireHost(request);
            authorize(request, action);
        };
    }

    /** Lets a request for the state of an entity pass. */
    Handler<RoutingContext> inspecting() {
        return request -> {
            requireHost(request);
            if (!options.isStateInspection()) {
                throw refused("the state of entities is not shown here: see AdminOptions.setStateInspection");
            }
            authorize(request, AdminAction.INSPECT_STATE);
        };
    }

    /** Lets a request that changes something pass. */
    Handler<RoutingContext> changing(AdminAction action) {
        return request -> {
            requireHost(request);
            requirePermission(request);
            authorize(request, action);
        };
    }

    /**
     * A page whose site resolves its own name to this address (DNS rebinding) sends that name: a host given as an
     * address, or as localhost, was typed by a person or a program.
     */
    private void requireHost(RoutingContext request) {
        var authority = request.request().authority();
        if (authority != null && !isAllowed(authority.host().toLowerCase(Locale.ROOT))) {
            throw refused("the host '" + authority.host()
                    + "' is not one of these admin resources: see AdminOptions.setAllowedHosts");
        }
    }

    private boolean isAllowed(String host) {
        return host.equals("localhost")
                || host.endsWith(".localhost")
                || NetUtil.isValidIpV4Address(host)
                || NetUtil.isValidIpV6Address(host)
                || options.getAllowedHosts().contains(host)
                || options.getAllowedHosts().contains(ANY_HOST);
    }

    private void requirePermission(RoutingContext request) {
        if (!"1".equals(request.request().getHeader(HEADER))) {
            throw refused("requests that change something need the header " + HEADER + ": 1");
        }
        if (options.isReadOnly()) {
            throw refused("these admin resources are read-only: see AdminOptions.setReadOnly");
        }
    }

    /** The body waits until the authorizer has decided. */
    private void authorize(RoutingContext request, AdminAction action) {
        if (authorizer == null) {
            request.next();
            return;
        }
        request.request().pause();
        authorizer.isAllowed(request, action).onComplete(answer -> {
            request.request().resume();
            if (answer.failed()) {
                request.fail(answer.cause());
            } else if (Boolean.TRUE.equals(answer.result())) {
                request.next();
            } else {
                request.fail(refused("not allowed: " + action));
            }
        });
    }

    private static RefusedRequest refused(String reason) {
        return new RefusedRequest(HttpFailure.forbidden(reason));
    }
}
