package benchmark;

import io.shardbus.launcher.GracefulShutdown;
import io.shardbus.options.GracefulShutdownOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;

/**
 * A process with one node that hosts counters, remembered ones with {@code --remember}, or, with {@code --proxy}, one
 * that only coordinates; with {@code --watch} it logs what it was late for, with {@code --meters} and {@code --tracer}
 * it measures and traces. Says "ready" with the id of its node;
 * leaves in good order when told to by SIGTERM, and ends at once when its standard input does.
 */
public final class HostMain {
    private static final long LONGEST_SHUTDOWN_MS = 60_000;

    private HostMain() {}

    public static void main(String[] arguments) throws IOException {
        var told = Arguments.of(arguments);
        var place = new Node.Place(
                told.get("name", ""),
                told.list("peers").stream().map(Integer::valueOf).toList(),
                Integer.parseInt(told.get("node", "0")));
        var roles = told.has("proxy") ? new JsonArray() : new JsonArray().add(Node.HOSTING);
        var options = told.options(new JsonObject().put("roles", roles));
        var node = told.has("remember")
                ? Node.start(place, options, RestartRun.definition())
                : told.has("tracer") ? Node.start(place, options, new CountingTracer()) : Node.start(place, options);
        if (told.has("meters")) {
            node.onSuccess(CostRun::measure);
        }
        var shutdown = GracefulShutdown.onSignal(
                node.map(Node::vertx), new GracefulShutdownOptions().setDeadlineMs(LONGEST_SHUTDOWN_MS));
        if (told.has("watch")) {
            node.onSuccess(started -> Stalls.watch(started.vertx(), Node.LOOPS));
        }
        node.compose(started -> BusEcho.answer(started.vertx()).map(started))
                .onSuccess(started ->
                        System.out.println("ready " + started.sharding().self()))
                .onFailure(failure -> {
                    failure.printStackTrace();
                    shutdown.exit(1);
                });
        if (System.in.read() < 0) {
            Runtime.getRuntime().halt(2);
        }
    }
}
