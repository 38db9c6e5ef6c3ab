package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.shardbus.options.ClusterOptions;
import io.shardbus.options.ShardingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** conf/kubernetes: known to the model of Kubernetes' API field by field, and in step with the code that it starts. */
class KubernetesTest {
    private static final Path DIRECTORY = Path.of("conf/kubernetes");
    private static final Path MANIFEST = DIRECTORY.resolve("shardbus.yaml");
    private static final Path GUIDE = Path.of("docs/guides/kubernetes.md");
    private static final Map<String, Class<?>> KINDS = Map.of(
            "v1/Service", Service.class,
            "v1/ConfigMap", ConfigMap.class,
            "policy/v1/PodDisruptionBudget", PodDisruptionBudget.class,
            "networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class,
            "apps/v1/StatefulSet", StatefulSet.class);
    /** The launcher's own bound beyond the shutdown of the sharding, in seconds. */
    private static final int BEYOND_SHUTDOWN_S = 15;

    private static final Pattern REFERENCE = Pattern.compile("\\$\\(([A-Z_]+)\\)");
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final ObjectMapper STRICT = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .setAnnotationIntrospector(new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1L;

                /** Else the model keeps what it does not know. */
                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                    return Boolean.FALSE;
                }
            });

    private static List<Object> objects;
    private static StatefulSet set;
    private static Container container;

    @TempDir
    private Path folder;

    @BeforeAll
    static void read() throws IOException {
        objects = parse(Files.readString(MANIFEST));
        set = only(StatefulSet.class);
        container = pod().getContainers().get(0);
    }

    private static List<Object> parse(String manifest) throws IOException {
        List<Object> found = new ArrayList<>();
        try (var documents = YAML.readerFor(Map.class).<Map<String, Object>>readValues(manifest)) {
            while (documents.hasNext()) {
                Map<String, Object> document = documents.next();
                Class<?> kind = KINDS.get(document.get("apiVersion") + "/" + document.get("kind"));
                assertNotNull(kind, () -> "no kind of this test: " + document);
                found.add(STRICT.readValue(STRICT.writeValueAsBytes(document), kind));
            }
        }
        return found;
    }

    private static <T> T only(Class<T> kind) {
        List<T> found = all(kind);
        assertEquals(1, found.size(), kind::toString);
        return found.get(0);
    }

    private static <T> List<T> all(Class<T> kind) {
        return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static PodSpec pod() {
        return set.getSpec().getTemplate().getSpec();
    }

    private static Service service(String name) {
        return all(Service.class).stream()
                .filter(service -> service.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aFieldThatKubernetesDoesNotKnowIsFound() throws IOException {
        String manifest = Files.readString(MANIFEST);
        assertEquals(
                Set.copyOf(KINDS.values()),
                objects.stream().map(Object::getClass).collect(Collectors.toSet()));
        for (String wrong : List.of("failureTreshold: 3", "podManagementPolice: Parallel", "maxUnavailabel: 1")) {
            String right = wrong.replace("Treshold", "Threshold")
                    .replace("Police", "Policy")
                    .replace("Unavailabel", "Unavailable");
            assertTrue(manifest.contains(right), right);
            assertThrows(JsonProcessingException.class, () -> parse(manifest.replace(right, wrong)), wrong);
        }
    }

    @Test
    void podsStartTogetherAndFindEachOtherBeforeTheyAreReady() {
        assertEquals("Parallel", set.getSpec().getPodManagementPolicy());
        Service headless = service(set.getSpec().getServiceName());
        assertEquals("None", headless.getSpec().getClusterIP());
        assertTrue(headless.getSpec().getPublishNotReadyAddresses());
        Map<String, String> labels = set.getSpec().getTemplate().getMetadata().getLabels();
        assertEquals(labels, set.getSpec().getSelector().getMatchLabels());
        all(Service.class)
                .forEach(service -> assertEquals(labels, service.getSpec().getSelector()));
        assertEquals(
                labels, only(PodDisruptionBudget.class).getSpec().getSelector().getMatchLabels());
        assertEquals(
                1, only(PodDisruptionBudget.class).getSpec().getMaxUnavailable().getIntVal());
        assertEquals(
                labels, only(NetworkPolicy.class).getSpec().getPodSelector().getMatchLabels());
        assertFalse(pod().getAutomountServiceAccountToken(), "nothing asks Kubernetes for anything");
    }

    /** The variables as Kubernetes sets them in the first pod. */
    private static Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        for (EnvVar variable : container.getEnv()) {
            String value = variable.getValue();
            if (value == null) {
                String field = variable.getValueFrom().getFieldRef().getFieldPath();
                value = Map.of("status.podIP", "10.1.2.3", "metadata.namespace", "shop")
                        .get(field);
            }
            assertNotNull(value, variable.getName());
            environment.put(variable.getName(), expand(value, environment));
        }
        return environment;
    }

    /** A variable is replaced where it was defined before. */
    private static String expand(String value, Map<String, String> before) {
        return REFERENCE
                .matcher(value)
                .replaceAll(found -> Matcher.quoteReplacement(before.getOrDefault(found.group(1), found.group())));
    }

    private LauncherConfig config() throws IOException {
        Map<String, String> data = only(ConfigMap.class).getData();
        Path file = folder.resolve("node.json");
        Files.writeString(file, data.get("node.json"));
        Map<String, String> environment = environment();
        Set<String> used = new TreeSet<>();
        LauncherConfig config = LauncherConfig.read(file, name -> {
            used.add(name);
            return environment.get(name);
        });
        for (EnvVar variable : container.getEnv()) {
            boolean referred = container.getEnv().stream()
                    .anyMatch(other -> String.valueOf(other.getValue()).contains("$(" + variable.getName() + ")"));
            assertTrue(used.contains(variable.getName()) || referred, () -> variable.getName() + " is not used");
        }
        return config;
    }

    @Test
    void theLauncherTakesItsFileWithTheseVariables() throws IOException {
        ClusterOptions cluster = config().cluster();
        String headless = set.getSpec().getServiceName();
        assertEquals("10.1.2.3", cluster.getBindAddress());
        assertEquals(List.of(headless + ".shop.svc.cluster.local"), List.copyOf(cluster.getPeers()));
        List<String> pods = Stream.of(0, 1, 2)
                .map(n -> set.getMetadata().getName() + "-" + n + "." + headless + ".shop.svc.cluster.local")
                .toList();
        assertEquals(pods, List.copyOf(cluster.getSeats()));
        assertTrue(pods.size() <= set.getSpec().getReplicas(), "a seat without a pod keeps the cluster from beginning");
        assertEquals(environment().get("APP_VERSION"), config().sharding().getAppVersion());
    }

    @Test
    void portsAreThoseOfTheNode() throws IOException {
        LauncherConfig config = config();
        int cluster = config.cluster().getBindPort();
        int bus = config.eventBus().getPort();
        int http = config.admin().orElseThrow().port();
        int watch = cluster + watchOffset();
        assertEquals(
                Set.of(cluster, bus, http, watch),
                container.getPorts().stream()
                        .map(ContainerPort::getContainerPort)
                        .collect(Collectors.toSet()));
        assertEquals(
                Set.of(cluster, bus, watch),
                service(set.getSpec().getServiceName()).getSpec().getPorts().stream()
                        .map(ServicePort::getPort)
                        .collect(Collectors.toSet()));
        var allowed = only(NetworkPolicy.class).getSpec().getIngress().stream()
                .flatMap(rule -> rule.getPorts().stream())
                .map(port -> port.getPort().getIntVal())
                .collect(Collectors.toSet());
        assertEquals(Set.of(cluster, bus, http, watch), allowed);
        assertEquals(
                Set.of(cluster, bus, http, watch),
                Stream.of(instruction("EXPOSE").split(" "))
                        .map(Integer::valueOf)
                        .collect(Collectors.toSet()));
    }

    private static int watchOffset() throws IOException {
        Matcher offset = Pattern.compile("SocketWatch offset=\"(\\d+)\"")
                .matcher(Files.readString(Path.of("conf/jgroups-kubernetes.xml")));
        assertTrue(offset.find());
        return Integer.parseInt(offset.group(1));
    }

    @Test
    void probesAskTheHealthResources() throws IOException {
        int http = config().admin().orElseThrow().port();
        Map<Probe, String> probes = new HashMap<>();
        probes.put(container.getStartupProbe(), "/sharding/health/live");
        probes.put(container.getLivenessProbe(), "/sharding/health/live");
        probes.put(container.getReadinessProbe(), "/sharding/health/ready");
        probes.forEach((probe, path) -> {
            assertEquals(path, probe.getHttpGet().getPath());
            String port = probe.getHttpGet().getPort().getStrVal();
            assertTrue(
                    container.getPorts().stream()
                            .anyMatch(named -> named.getName().equals(port) && named.getContainerPort() == http),
                    port);
            assertTrue(probe.getFailureThreshold() >= 3);
        });
    }

    @Test
    void theWayOutFitsIntoTheGracePeriod() throws IOException {
        List<String> preStop = container.getLifecycle().getPreStop().getExec().getCommand();
        assertEquals("sleep", preStop.get(0));
        long longest = 2 * config().sharding().getShutdownTimeoutMs() / 1000 + BEYOND_SHUTDOWN_S;
        long needed = Integer.parseInt(preStop.get(1)) + longest;
        assertTrue(pod().getTerminationGracePeriodSeconds() >= needed, () -> needed + " s are needed");
        assertEquals(30_000, new ShardingOptions().getShutdownTimeoutMs());
    }

    /** The arguments of the only instruction of this name in the Dockerfile, its lines joined. */
    private static String instruction(String name) throws IOException {
        String text = Files.readString(DIRECTORY.resolve("Dockerfile")).replace("\\\n", "");
        List<String> found = text.lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length() + 1))
                .toList();
        assertEquals(1, found.size(), name);
        return found.get(0);
    }

    @Test
    void theImageStartsTheLauncherAsProcessOne() throws Exception {
        List<?> command = STRICT.readValue(instruction("ENTRYPOINT"), List.class);
        assertEquals("java", command.get(0), "no shell in between");
        assertNotNull(
                Class.forName(String.valueOf(command.get(command.size() - 1))).getMethod("main", String[].class));
        String file =
                String.valueOf(STRICT.readValue(instruction("CMD"), List.class).get(0));
        String mount = container.getVolumeMounts().stream()
                .filter(volume -> volume.getName().equals("config"))
                .findFirst()
                .orElseThrow()
                .getMountPath();
        assertEquals(mount, Path.of(file).getParent().toString());
        assertTrue(only(ConfigMap.class)
                .getData()
                .containsKey(Path.of(file).getFileName().toString()));
        assertEquals("SIGTERM", instruction("STOPSIGNAL"));
        assertEquals(pod().getSecurityContext().getRunAsUser(), Long.valueOf(instruction("USER")));
    }

    @Test
    void theImageHasTheFilesThatAreNamed() throws IOException {
        List<String> copied = Files.readString(DIRECTORY.resolve("Dockerfile"))
                .lines()
                .filter(line -> line.startsWith("COPY conf/"))
                .flatMap(line -> Stream.of(line.substring("COPY ".length()).split(" ")))
                .filter(word -> word.startsWith("conf/"))
                .toList();
        copied.forEach(file -> assertTrue(Files.exists(Path.of(file)), file));
        for (String named : List.of(
                String.valueOf(config().cluster().getJgroupsConfig()),
                instruction("ENV").replaceAll("(?s).*logback.configurationFile=([^\" ]+).*", "$1"))) {
            assertTrue(named.startsWith("/app/conf/"), named);
            assertTrue(copied.contains(named.substring("/app/".length())), named);
        }
    }

    @Test
    void theGuideListsTheVariables() throws IOException {
        Set<String> listed = Pattern.compile("^\\| `([A-Z_]+)` \\|", Pattern.MULTILINE)
                .matcher(Files.readString(GUIDE))
                .results()
                .map(variable -> variable.group(1))
                .collect(Collectors.toSet());
        assertEquals(container.getEnv().stream().map(EnvVar::getName).collect(Collectors.toSet()), listed);
    }
}
