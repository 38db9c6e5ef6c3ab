package io.shardbus.launcher;

import io.shardbus.launcher.demo.DemoNode;
import io.shardbus.launcher.demo.DemoStory;
import io.shardbus.options.AdminOptions;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * The demo: a cluster in one process, real flights as traffic, a node that joins and one that leaves; then it serves
 * the admin resources until it is stopped. One argument, if any: the HTTP port, 8080 if not given.
 */
public final class Demo {
    private static final String HOST = "127.0.0.1";
    private static final String DEFAULT_PORT = "8080";

    private Demo() {}

    public static void main(String[] arguments) {
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", "shardbus/demo/logback.xml");
        }
        var port = arguments.length == 0 ? DEFAULT_PORT : arguments[0];
        if (!port.matches("[1-9][0-9]{0,4}") || Integer.parseInt(port) > 65_535) {
            refuse("'" + port + "' is not a port");
        }
        run(new LauncherConfig.Listener(HOST, Integer.parseInt(port), new AdminOptions().setReadOnly(false)));
    }

    private static void run(LauncherConfig.Listener admin) {
        requireFree(admin);
        var story = new DemoStory(System.out::println);
        // The whole cluster is in this process: there is no other node to hand off shards to.
        var shutdown = GracefulShutdown.atOnce();
        story.begin()
                .compose(first -> serve(first, admin, shutdown))
                .compose(listening -> story.tell())
                .onSuccess(told -> System.out.println(
                        "Serving http://" + HOST + ":" + admin.port() + "/sharding/ui/ until stopped (Ctrl-C)."))
                .onFailure(failure -> {
                    System.err.println("demo: " + failure.getMessage());
                    shutdown.exit(1);
                });
    }

    /** Before the cluster takes its time to start. */
    private static void requireFree(LauncherConfig.Listener admin) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(admin.host(), admin.port()));
        } catch (IOException e) {
            refuse("port " + admin.port() + " of " + admin.host() + " is taken (" + e.getMessage()
                    + "); give another one: mvn -q compile exec:java -Dexec.args=8090");
        }
    }

    private static Future<?> serve(DemoNode first, LauncherConfig.Listener admin, GracefulShutdown shutdown) {
        return AdminServer.listen(first.vertx(), first.sharding(), admin, shutdown)
                .onSuccess(server -> System.out.println(
                        "Watch it in a browser at http://" + HOST + ":" + admin.port() + "/sharding/ui/"));
    }

    private static void refuse(String reason) {
        System.err.println("demo: " + reason);
        System.exit(1);
    }
}
