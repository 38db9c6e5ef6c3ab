package io.shardbus.codec;

import com.fasterxml.jackson.databind.Module;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Modules of Jackson that an application may have on its class path. */
final class OptionalModules {
    private static final Logger LOG = LoggerFactory.getLogger(OptionalModules.class);

    private OptionalModules() {}

    /**
     * The modules of these classes that are present, in this order; one of another version than Jackson's is left out.
     */
    static List<Module> present(List<String> classes) {
        List<Module> present = new ArrayList<>();
        for (String name : classes) {
            try {
                present.add(Class.forName(name, true, OptionalModules.class.getClassLoader())
                        .asSubclass(Module.class)
                        .getDeclaredConstructor()
                        .newInstance());
            } catch (ClassNotFoundException absent) {
                LOG.debug("{} is not on the class path", name);
            } catch (ReflectiveOperationException | LinkageError | ClassCastException unfit) {
                LOG.warn("{} does not fit the Jackson on the class path and is not registered", name, unfit);
            }
        }
        return present;
    }
}
