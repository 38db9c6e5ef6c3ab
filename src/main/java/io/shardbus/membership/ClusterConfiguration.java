package io.shardbus.membership;

import io.shardbus.options.ClusterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.configuration.global.ShutdownHookBehavior;
import org.infinispan.configuration.parsing.ConfigurationBuilderHolder;
import org.infinispan.configuration.parsing.ParserRegistry;
import org.infinispan.remoting.transport.jgroups.JGroupsTransport;
import org.jgroups.util.SocketFactory;
import org.jspecify.annotations.Nullable;

/** The Infinispan configuration of one node, from its options and the files that they name. */
final class ClusterConfiguration {
    private static final String BUILT_IN_INFINISPAN = "shardbus/infinispan.xml";
    private static final String BUILT_IN_STACK = "shardbus/jgroups-loopback.xml";

    /** Infinispan's default of the timeout {@code distributedSyncTimeout}: 4 minutes. */
    private static final long STOCK_TIMEOUT_MS = GlobalConfigurationBuilder.defaultClusteredBuilder()
            .build()
            .transport()
            .distributedSyncTimeout();

    /**
     * Time in milliseconds for which the coordinator of the caches and the members wait for each other, in place of 4
     * minutes. The coordinator waits a tenth of that time, 2 s in place of 24 s, for a sign of life of each member
     * before it installs a topology; {@link TopologyRetry} makes it try again.
     */
    static final long MANAGEMENT_TIMEOUT_MS = 20_000;

    private ClusterConfiguration() {}

    /**
     * @throws IllegalArgumentException if an option is not allowed or a file cannot be found
     * @throws UncheckedIOException if a file cannot be read
     */
    static ConfigurationBuilderHolder of(ClusterOptions options, String nodeName) {
        options.validate();
        var loader = classLoader();
        var holder = parse(options.getInfinispanConfig(), loader);
        var global = holder.getGlobalConfigurationBuilder();
        global.classLoader(loader);
        // Vert.x closes the node step by step; Infinispan's own shutdown hook would end the container in between
        global.shutdown().hookBehavior(ShutdownHookBehavior.DONT_REGISTER);
        var transport = global.transport()
                .defaultTransport()
                .clusterName(options.getClusterName())
                .nodeName(nodeName);
        if (global.build().transport().distributedSyncTimeout() == STOCK_TIMEOUT_MS) {
            transport.distributedSyncTimeout(MANAGEMENT_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        }
        if (options.getJgroupsConfig() != null || global.build().transport().stack() == null) {
            transport
                    .removeProperty(JGroupsTransport.CHANNEL_CONFIGURATOR)
                    .addProperty(JGroupsTransport.CONFIGURATION_XML, stack(options, loader));
        }
        return holder;
    }

    /** Makes the stack use these sockets for all its connections. */
    static void connectBy(SocketFactory sockets, ConfigurationBuilderHolder holder) {
        holder.getGlobalConfigurationBuilder().transport().addProperty(JGroupsTransport.SOCKET_FACTORY, sockets);
    }

    /**
     * The plan of the cluster's seats.
     *
     * @throws IllegalArgumentException if the options list neither seats nor peers although the stack is not bound to
     *     the loopback
     */
    static SeatPlan seats(ClusterOptions options, ConfigurationBuilderHolder holder) {
        var own = holder.getGlobalConfigurationBuilder().build().transport().stack() != null;
        if (own && options.getJgroupsConfig() == null) {
            return SeatPlan.of(options, null, null);
        }
        return SeatPlan.of(options, template(options, classLoader()), stack(options, classLoader()));
    }

    /** The text of the stack that the options name, or of the built-in one, with the options filled in. */
    static String stack(ClusterOptions options, ClassLoader loader) {
        var name = Objects.requireNonNullElse(options.getJgroupsConfig(), BUILT_IN_STACK);
        return StackTemplate.fill(name, template(options, loader), options);
    }

    private static String template(ClusterOptions options, ClassLoader loader) {
        var name = Objects.requireNonNullElse(options.getJgroupsConfig(), BUILT_IN_STACK);
        try (var in = find("jgroupsConfig", name, loader).openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("jgroupsConfig: cannot read " + name, e);
        }
    }

    private static ConfigurationBuilderHolder parse(@Nullable String file, ClassLoader loader) {
        var name = Objects.requireNonNullElse(file, BUILT_IN_INFINISPAN);
        try {
            return new ParserRegistry(loader).parse(find("infinispanConfig", name, loader));
        } catch (IOException e) {
            throw new UncheckedIOException("infinispanConfig: cannot read " + name, e);
        }
    }

    private static URL find(String key, String name, ClassLoader loader) throws MalformedURLException {
        var path = Path.of(name);
        if (Files.isRegularFile(path)) {
            return path.toUri().toURL();
        }
        var resource = loader.getResource(name);
        if (resource == null) {
            throw new IllegalArgumentException(key + ": \"" + name + "\" is neither a file, looked for as "
                    + path.toAbsolutePath() + ", nor a resource on the class path");
        }
        return resource;
    }

    private static ClassLoader classLoader() {
        var ofThread = Thread.currentThread().getContextClassLoader();
        return ofThread != null ? ofThread : ClusterConfiguration.class.getClassLoader();
    }
}
