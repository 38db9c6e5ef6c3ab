package io.shardbus.testkit.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * On a JUnit test class or method: each test gets a cluster of its own, as a parameter of type
 * {@link io.shardbus.testkit.ClusterTestKit}, which ends with the test.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ShardbusClusterExtension.class)
public @interface ShardbusCluster {
    /** Number of nodes when the test begins. */
    int nodes() default 3;
}
