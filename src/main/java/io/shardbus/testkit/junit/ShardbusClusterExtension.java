package io.shardbus.testkit.junit;

import io.shardbus.testkit.ClusterTestKit;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * JUnit extension behind {@link ShardbusCluster}. The cluster is started when the test, or a method before each test,
 * first takes it.
 */
public final class ShardbusClusterExtension implements ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(ShardbusClusterExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == ClusterTestKit.class
                && test.getTestMethod().isPresent();
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return test.getStore(NAMESPACE)
                .getOrComputeIfAbsent(ClusterTestKit.class, key -> ClusterTestKit.start(nodes(test)));
    }

    private static int nodes(ExtensionContext test) {
        return Stream.iterate(
                        Optional.of(test), Optional::isPresent, place -> place.flatMap(ExtensionContext::getParent))
                .flatMap(place ->
                        AnnotationSupport.findAnnotation(
                                place.flatMap(ExtensionContext::getElement), ShardbusCluster.class)
                                .stream())
                .findFirst()
                .map(ShardbusCluster::nodes)
                .orElseThrow(() -> new IllegalStateException("the test needs @ShardbusCluster, or its class does"));
    }

    @Override
    public void afterEach(ExtensionContext test) {
        ClusterTestKit cluster = test.getStore(NAMESPACE).remove(ClusterTestKit.class, ClusterTestKit.class);
        if (cluster != null) {
            cluster.close();
        }
    }
}
