package io.shardbus.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.netty4.NettyEventExecutorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.datacenter.DataCenters;
import io.shardbus.integration.Await;
import io.shardbus.options.DataCenterOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.persistence.Backlog;
import io.shardbus.testkit.TestSharding;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The meters of a node that is alone, and that the files in conf name no others. */
class ShardbusMetricsTest {
    private static final EntityType<String> ECHO = EntityType.of("echo", String.class);
    private static final Duration ASK = Duration.ofSeconds(10);

    private final Vertx vertx = Vertx.vertx();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private ClusterSharding sharding;
    private ShardRegion<String> region;
    private ShardbusMetrics metrics;

    /** Answers with what it gets. */
    private static final class Echo implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return message.equals("fail") ? Future.failedFuture("as asked") : reply(message);
        }
    }

    @BeforeEach
    void start() {
        sharding = ClusterSharding.create(vertx, new ShardingOptions().setAwaitPredecessorLeases(false));
        region = Await.result(sharding.start(EntityDefinition.of(ECHO, id -> new Echo())));
        Await.result(region.ready());
        Await.result(DataCenters.start(
                vertx,
                sharding,
                new DataCenterOptions().setName("east").setOthers(Map.of("west", List.of("127.0.0.1:1")))));
        Backlog.on(vertx).add(this, Backlog.Kind.PROJECTION, "view", () -> 3);
        metrics = ShardbusMetrics.bind(sharding, registry, Duration.ofMillis(20));
        // the last one that is registered
        Await.until(
                registry::scrape,
                () -> registry.find("shardbus.datacenter.tells.lost").meter() != null
                        && registry.find("shardbus.projection.lag").meter() != null);
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private boolean hasMeter(String name) {
        return registry.find(name).meter() != null;
    }

    private double value(String name, String... tags) {
        return registry.get(name).tags(tags).meters().stream()
                .flatMap(meter -> StreamSupport.stream(meter.measure().spliterator(), false))
                .mapToDouble(measured -> measured.getValue())
                .sum();
    }

    private void untilValue(double wanted, String name, String... tags) {
        Await.until(() -> name + " = " + value(name, tags), () -> value(name, tags) == wanted);
    }

    @Test
    void allAreThereWithZeroBeforeAnythingHappens() {
        assertEquals(0, value("shardbus.messages.sent"));
        assertEquals(0, value("shardbus.messages.failed", "code", "timed_out"));
        assertEquals(0, value("shardbus.shard.moves", "cause", "drain", "outcome", "forced"));
        assertEquals(0, value("shardbus.shard.silence", "cause", "move"));
        assertEquals(0, value("shardbus.split.decisions", "verdict", "stopped"));
        assertEquals(0, value("shardbus.members.excluded", "reason", "socket"));
        assertEquals(0, value("shardbus.members.excluded", "reason", "suspicion"));
        assertEquals(0, value("shardbus.store.commits"));
        assertEquals(0, value("shardbus.datacenter.pending", "data_center", "west"));
        assertEquals(0, value("shardbus.store.duration", "operation", "append", "outcome", "failed"));
        assertEquals(0, value("shardbus.handover.bytes", "outcome", "lost"));
        assertEquals(0, value("shardbus.shards", "state", "resting"));
        assertEquals(0, value("shardbus.frames.sent", "via", "direct"));
        assertEquals(0, value("shardbus.frames.received", "via", "bus"));
        assertEquals(0, value("shardbus.frames.bytes", "via", "bus", "direction", "received"));
        assertEquals(0, value("shardbus.frames.repeated"));
        assertEquals(0, value("shardbus.window.full"));
        assertEquals(0, value("shardbus.deliveries.unsettled"));
        assertEquals(0, value("shardbus.listener.failures"));
        assertEquals(1, value("shardbus.available"));
        assertEquals(1, value("shardbus.members"));
        assertEquals(1, value("shardbus.build.info"));
        untilValue(1, "shardbus.coordinator.reigning");
    }

    @Test
    void countsMessagesThatTheNodeRefuses() {
        assertEquals(0, value("shardbus.transport.refused"));
        assertEquals(0, value("shardbus.transport.skipped"));
        vertx.eventBus().send("__vertx.shardbus.control." + sharding.self(), Buffer.buffer("no frame"));
        untilValue(1, "shardbus.transport.refused");
    }

    @Test
    void countsWhatHappens() {
        for (int i = 0; i < 5; i++) {
            Await.result(region.entityRef("e" + i).request("hello", String.class, ASK));
        }
        region.entityRef("e0").tell("hello");
        Await.result(region.entityRef("e1").request("fail", String.class, ASK).otherwiseEmpty());
        untilValue(6, "shardbus.messages.sent", "kind", "ask", "side", "local");
        untilValue(1, "shardbus.messages.sent", "kind", "tell", "side", "local");
        assertEquals(0, value("shardbus.messages.sent", "side", "remote"));
        untilValue(7, "shardbus.messages.received");
        untilValue(1, "shardbus.messages.failed", "code", "entity_failed");
        untilValue(5, "shardbus.entities.started", "reason", "message");
        untilValue(5, "shardbus.entities", "state", "live");
        Await.until(registry::scrape, () -> value("shardbus.shards", "state", "home") >= 1);
        assertTrue(value("shardbus.lease.remaining") > 0);
        assertTrue(
                registry.get("shardbus.shard.silence")
                                .tag("cause", "home")
                                .timer()
                                .count()
                        >= 1,
                registry::scrape);
    }

    @Test
    void measuresAsksAndTheirHandling() {
        for (int i = 0; i < 400; i++) {
            Await.result(region.entityRef("e" + i % 5).request("hello", String.class, ASK));
        }
        for (int i = 0; i < 3; i++) {
            Await.result(
                    region.entityRef("e1").request("fail", String.class, ASK).otherwiseEmpty());
        }
        Await.until(registry::scrape, () -> timed("shardbus.ask.duration", "String", "ok") > 0);
        Await.until(registry::scrape, () -> timed("shardbus.handle.duration", "String", "ok") > 0);
        Await.until(registry::scrape, () -> timed("shardbus.ask.duration", "String", "failed") == 3);
        Await.until(registry::scrape, () -> timed("shardbus.handle.duration", "String", "failed") == 3);
        assertTrue(timed("shardbus.ask.duration", "String", "ok") < 200, registry::scrape);
        assertTrue(registry.get("shardbus.mailbox.wait").timer().count() > 0, registry::scrape);
    }

    private long timed(String name, String message, String outcome) {
        return registry.find(name).tags("message", message, "outcome", outcome).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    @Test
    void countsOnAfterTheGarbageCollector() {
        Await.result(region.entityRef("e").request("hello", String.class, ASK));
        untilValue(1, "shardbus.messages.sent", "kind", "ask", "side", "local");
        var probe = new WeakReference<>(new Object());
        Await.until(() -> "the garbage collector has not run", () -> {
            System.gc();
            return probe.get() == null;
        });
        Await.result(region.entityRef("e").request("hello", String.class, ASK));
        untilValue(2, "shardbus.messages.sent", "kind", "ask", "side", "local");
        Await.result(region.entityRef("e").request("fail", String.class, ASK).otherwiseEmpty());
        untilValue(1, "shardbus.messages.failed", "code", "entity_failed");
    }

    @Test
    void aSecondRegistryTakesNothingFromTheFirst() {
        var other = new SimpleMeterRegistry();
        var second = ShardbusMetrics.bind(sharding, other, Duration.ofMillis(20));
        Await.until(() -> "the second registry has no timers yet", () -> silences(other) != null);
        Await.result(region.entityRef("e").request("hello", String.class, ASK));
        Await.until(
                registry::scrape,
                () -> silences(registry).count() > 0 && silences(other).count() > 0);
        var closed = silences(other);
        long heard = closed.count();
        second.close();
        for (int i = 0; i < 20; i++) {
            Await.result(region.entityRef("f" + i).request("hello", String.class, ASK));
        }
        Await.until(registry::scrape, () -> silences(registry).count() > heard);
        assertEquals(heard, closed.count());
    }

    @Test
    void aRegistryThatIsClosedDuringALookKeepsNoMeter() {
        var other = new SimpleMeterRegistry();
        var bound = new CompletableFuture<ShardbusMetrics>();
        var closed = new CompletableFuture<Void>();
        other.config().onMeterAdded(meter -> {
            if ("later".equals(meter.getId().getTag("type")) && !closed.isDone()) {
                bound.orTimeout(20, TimeUnit.SECONDS).join().close();
                closed.complete(null);
            }
        });
        bound.complete(ShardbusMetrics.bind(sharding, other, Duration.ofMillis(20)));
        Await.result(sharding.start(EntityDefinition.of(
                EntityType.of("later", String.class), id -> (message, context) -> Future.succeededFuture())));
        Await.until(() -> "it was not closed", closed::isDone);
        Await.until(
                () -> "these are left: " + other.getMeters(),
                () -> other.getMeters().isEmpty());
    }

    @Test
    void goOnAfterARegistrationThatFailed() {
        var unsteady = new SimpleMeterRegistry();
        var armed = new AtomicBoolean(true);
        unsteady.config().meterFilter(new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                if (id.getName().equals("shardbus.mailbox.wait") && armed.getAndSet(false)) {
                    throw new IllegalArgumentException("refused this once");
                }
                return id;
            }
        });
        var second = ShardbusMetrics.bind(sharding, unsteady, Duration.ofMillis(20));
        Await.until(
                unsteady::getMetersAsString,
                () -> unsteady.find("shardbus.lease.remaining").gauge() != null);
        second.close();
        Await.until(() -> "meters are left", () -> unsteady.getMeters().isEmpty());
    }

    private static Timer silences(MeterRegistry from) {
        return from.find("shardbus.shard.silence").tag("cause", "home").timer();
    }

    @Test
    void theMetersOfATypeGoWithItsRegionAndAllWhenClosed() {
        Await.result(region.leave());
        Await.until(registry::scrape, () -> !hasMeter("shardbus.messages.sent"));
        assertTrue(hasMeter("shardbus.members"));
        metrics.close();
        assertEquals(0, registry.getMeters().size(), registry::scrape);
    }

    @Test
    void theReferenceListsEveryMeter() throws IOException {
        Set<String> listed = Files.readAllLines(Path.of("docs", "reference", "metrics.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(0, line.indexOf('|', 1)))
                .flatMap(names -> Pattern.compile("`([a-z.]+)`").matcher(names).results())
                .map(name -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> registered = registry.getMeters().stream()
                .map(Meter::getId)
                .map(Meter.Id::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(registered, listed);
    }

    @Test
    void dashboardAndAlertsNameOnlyWhatIsRegistered() throws IOException {
        Set<String> scraped = Pattern.compile("^(shardbus_[a-z_]+)", Pattern.MULTILINE)
                .matcher(registry.scrape())
                .results()
                .map(name -> name.group(1))
                .collect(Collectors.toSet());
        for (String file : Set.of("grafana/shardbus.json", "prometheus/shardbus-alerts.yml")) {
            Set<String> named = Pattern.compile("shardbus_[a-z_]+")
                    .matcher(Files.readString(Path.of("conf", file)))
                    .results()
                    .map(name -> name.group())
                    .collect(Collectors.toCollection(TreeSet::new));
            assertTrue(named.size() > 10, () -> file + " names " + named);
            named.removeAll(scraped);
            assertEquals(Set.of(), named, () -> file + " names meters that are not registered");
        }
    }

    /** Names before a brace in the expressions of the dashboard that are not of Shardbus. */
    private static Set<String> namesOfOthers() throws IOException {
        return Pattern.compile("\\b([a-z]+(?:_[a-z]+)+)\\{")
                .matcher(Files.readString(Path.of("conf/grafana/shardbus.json")))
                .results()
                .map(name -> name.group(1))
                .filter(name -> !name.startsWith("shardbus_"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theDashboardNamesOfOthersWhatMicrometerAndVertxRegister() throws IOException {
        var others = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Vertx measured = Vertx.builder()
                .with(new VertxOptions().setMetricsOptions(new MicrometerMetricsOptions().setEnabled(true)))
                .withMetrics(new MicrometerMetricsFactory(others))
                .build();
        Set<String> named = namesOfOthers();
        assertTrue(named.size() > 5, named::toString);
        try (var collections = new JvmGcMetrics()) {
            List.of(
                            new JvmMemoryMetrics(),
                            collections,
                            new JvmThreadMetrics(),
                            new ProcessorMetrics(),
                            new NettyEventExecutorMetrics(((VertxInternal) measured).nettyEventLoopGroup()))
                    .forEach(binder -> binder.bindTo(others));
            Await.result(measured.executeBlocking(() -> "a worker thread is used"));
            // the meter of pauses comes with the first one
            System.gc();
            Await.until(
                    () -> "not registered: " + missing(named, others),
                    () -> missing(named, others).isEmpty());
        } finally {
            Await.result(measured.close());
        }
    }

    private static Set<String> missing(Set<String> named, PrometheusMeterRegistry from) {
        Set<String> missing = new TreeSet<>(named);
        Pattern.compile("^([a-z_]+)[ {]", Pattern.MULTILINE)
                .matcher(from.scrape())
                .results()
                .forEach(scraped -> missing.remove(scraped.group(1)));
        return missing;
    }

    /** What it shows of asks, of shards and of processes, by its design. */
    @Test
    void theDashboardHasItsRows() throws IOException {
        var dashboard = new JsonObject(Files.readString(Path.of("conf/grafana/shardbus.json")));
        var panels = dashboard.getJsonArray("panels").stream()
                .map(JsonObject.class::cast)
                .toList();
        Set<String> titles =
                panels.stream().map(panel -> panel.getString("title")).collect(Collectors.toSet());
        assertTrue(
                titles.containsAll(Set.of("Asks, p50", "Asks, p99", "Asks, p99.9", "JVM and event loops")),
                titles::toString);
        assertTrue(panels.stream().anyMatch(panel -> panel.getString("type").equals("heatmap")), titles::toString);
        var ids = panels.stream().map(panel -> panel.getInteger("id")).toList();
        assertEquals(ids.size(), Set.copyOf(ids).size(), ids::toString);
        Set<String> places = panels.stream()
                .map(panel -> panel.getJsonObject("gridPos"))
                .map(place -> place.getInteger("x") + " " + place.getInteger("y"))
                .collect(Collectors.toSet());
        assertEquals(panels.size(), places.size(), "each panel has a place of its own");
    }

    @Test
    void eachAlertFiresInTheTests() throws IOException {
        var tests = Files.readString(Path.of("conf/prometheus/shardbus-alerts-test.yml"));
        var alerts = Pattern.compile("- alert: (\\w+)")
                .matcher(Files.readString(Path.of("conf/prometheus/shardbus-alerts.yml")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(alerts.size() > 10, alerts::toString);
        alerts.removeIf(
                name -> tests.contains("alertname: " + name + "\n        exp_alerts:\n          - exp_labels:"));
        assertEquals(Set.of(), alerts);
    }

    @Test
    void theAlertsFireAsTheirTestsSay() throws IOException, InterruptedException {
        var promtool = Path.of("/usr/bin/promtool");
        assumeTrue(Files.isExecutable(promtool), "promtool (Debian package prometheus) is not installed");
        var process = new ProcessBuilder(
                        promtool.toString(), "test", "rules", "conf/prometheus/shardbus-alerts-test.yml")
                .redirectErrorStream(true)
                .start();
        var said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertTrue(process.waitFor(30, TimeUnit.SECONDS), said);
        assertEquals(0, process.exitValue(), said);
    }

    @Test
    void refusesWhatIsNoNode() {
        assertThrows(IllegalArgumentException.class, () -> ShardbusMetrics.bind(TestSharding.create(), registry));
        assertThrows(
                IllegalArgumentException.class, () -> ShardbusMetrics.bind(sharding, registry, Duration.ofMillis(9)));
    }
}
