package io.shardbus.transport.tls;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import java.lang.reflect.Field;

/**
 * The event bus of a clustered Vert.x with TLS material that may change. Its options hold paths of files, which are
 * read once, and the options' JSON is what its server and its client are made of, so that no key manager goes through;
 * both can be given other material later, but only from the inside.
 */
public final class BusTls {
    private final Object bus;

    private BusTls(Object bus) {
        this.bus = bus;
    }

    /** The bus of a Vert.x that is joining its cluster. */
    public static BusTls of(Vertx vertx) {
        return new BusTls(vertx.eventBus());
    }

    /** @throws IllegalStateException if the bus takes connections without a certificate */
    public void requireSecure() {
        var options = (EventBusOptions) part("options");
        if (!options.isSsl() || options.isTrustAll() || options.getClientAuth() != ClientAuth.REQUIRED) {
            throw new IllegalStateException(
                    "tls: set in the cluster options, but the event bus of this Vertx takes connections without a "
                            + "certificate;"
                            + " build it with VertxOptions.setEventBusOptions(tlsOptions.secure(new "
                            + "EventBusOptions()))");
        }
    }

    /** Uses the material for connections that begin from now on; once the bus listens. */
    public Future<Void> adopt(TlsMaterial material) {
        var server = (NetServer) part("server");
        var client = (NetClient) part("client");
        return server.updateSSLOptions(material.forServers())
                .compose(updated -> client.updateSSLOptions(material.forClients()))
                .mapEmpty();
    }

    private Object part(String name) {
        try {
            Field field = bus.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(bus);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException(
                    "tls: the event bus of this Vert.x, " + bus.getClass().getName() + ", has no " + name
                            + " that Shardbus can reach: use the Vert.x that this release of Shardbus brings, on "
                            + "the class path",
                    e);
        }
    }
}
