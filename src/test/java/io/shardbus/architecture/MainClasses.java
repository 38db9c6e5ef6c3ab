package io.shardbus.architecture;

import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.LocationProvider;
import io.shardbus.model.NodeId;
import java.util.Set;

/** The compiled product without its tests, wherever the build put it. */
public final class MainClasses implements LocationProvider {
    @Override
    public Set<Location> get(Class<?> testClass) {
        return Set.of(
                Location.of(NodeId.class.getProtectionDomain().getCodeSource().getLocation()));
    }
}
