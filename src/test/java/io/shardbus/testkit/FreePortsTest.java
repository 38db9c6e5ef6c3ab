package io.shardbus.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FreePortsTest {
    /** More than a block has. */
    private static final int PORTS = 150;
    /** Where the failure detection of a node listens. */
    private static final int OFFSET = 100;

    /** As loaded by another process of the same id, in another container of the same network. */
    private static Method next(URLClassLoader loader) throws ReflectiveOperationException {
        Method next = loader.loadClass(FreePorts.class.getName()).getDeclaredMethod("next");
        next.setAccessible(true);
        return next;
    }

    @Test
    void processesThatRunAtTheSameTimeGiveDifferentPorts() throws Exception {
        var classes =
                new URL[] {FreePorts.class.getProtectionDomain().getCodeSource().getLocation()};
        var platform = ClassLoader.getPlatformClassLoader();
        Set<Integer> given = new HashSet<>();
        try (var one = new URLClassLoader(classes, platform);
                var other = new URLClassLoader(classes, platform)) {
            for (int i = 0; i < PORTS; i++) {
                for (Method next : new Method[] {next(one), next(other)}) {
                    int port = (int) next.invoke(null);
                    assertTrue(given.add(port), () -> port + " twice, after " + given);
                    assertTrue(given.add(port + OFFSET), () -> port + OFFSET + " twice, after " + given);
                }
            }
        }
    }
}
