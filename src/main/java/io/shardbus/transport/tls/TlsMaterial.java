package io.shardbus.transport.tls;

import io.vertx.core.http.ClientAuth;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.TrustOptions;
import java.util.Set;

/**
 * TLS material of both ends of a connection between nodes. Names of hosts are not checked: nodes are where their
 * cluster says.
 *
 * @param own the certificate and key of this node
 * @param trusted whose certificates are taken
 * @param versions of the protocol
 */
public record TlsMaterial(KeyCertOptions own, TrustOptions trusted, Set<String> versions) {
    private static final String NO_HOST_NAMES = "";

    public NetServerOptions secure(NetServerOptions server) {
        server.setSsl(true)
                .setClientAuth(ClientAuth.REQUIRED)
                .setKeyCertOptions(own)
                .setTrustOptions(trusted)
                .setEnabledSecureTransportProtocols(versions);
        return server;
    }

    public NetClientOptions secure(NetClientOptions client) {
        client.setSsl(true)
                .setHostnameVerificationAlgorithm(NO_HOST_NAMES)
                .setKeyCertOptions(own)
                .setTrustOptions(trusted)
                .setEnabledSecureTransportProtocols(versions);
        return client;
    }

    ServerSSLOptions forServers() {
        var options = new ServerSSLOptions().setClientAuth(ClientAuth.REQUIRED);
        options.setKeyCertOptions(own).setTrustOptions(trusted).setEnabledSecureTransportProtocols(versions);
        return options;
    }

    ClientSSLOptions forClients() {
        var options = new ClientSSLOptions().setTrustAll(false).setHostnameVerificationAlgorithm(NO_HOST_NAMES);
        options.setKeyCertOptions(own).setTrustOptions(trusted).setEnabledSecureTransportProtocols(versions);
        return options;
    }
}
