package io.shardbus.admin;

import io.vertx.ext.web.MIMEHeader;
import io.vertx.ext.web.RoutingContext;

/** Media types that a client accepts, by its header Accept (RFC 9110, 12.5.1). */
final class AcceptedTypes {
    static final String JSON = "application/json";
    private static final String ANY = "*";

    private AcceptedTypes() {}

    /**
     * Whether a client names this type itself, and would rather not have JSON. One that takes any type gets JSON, as
     * programs do.
     */
    static boolean prefers(RoutingContext request, String type) {
        float named = weight(request, type, true);
        return named > 0 && named >= weight(request, JSON, false);
    }

    /** The weight of the most special range that has the type; 0 where none has. */
    private static float weight(RoutingContext request, String type, boolean byNameOnly) {
        String component = type.substring(0, type.indexOf('/'));
        String subComponent = type.substring(type.indexOf('/') + 1);
        float weight = 0;
        int special = -1;
        for (MIMEHeader range : request.parsedHeaders().accept()) {
            boolean part = component.equalsIgnoreCase(range.component());
            boolean whole = part && subComponent.equalsIgnoreCase(range.subComponent());
            boolean fits = whole
                    || part && ANY.equals(range.subComponent())
                    || ANY.equals(range.component()) && ANY.equals(range.subComponent());
            int found = whole ? 2 : part ? 1 : 0;
            if (fits && found > special && (whole || !byNameOnly)) {
                special = found;
                weight = range.weight();
            }
        }
        return weight;
    }
}
