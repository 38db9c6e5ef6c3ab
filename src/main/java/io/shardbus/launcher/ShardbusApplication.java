package io.shardbus.launcher;

import io.vertx.launcher.application.VertxApplication;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Vert.x's application launcher with {@link ShardbusHooks} and {@code -cluster}, for the {@code Main-Class} of a jar:
 * {@code java -cp ... io.shardbus.launcher.ShardbusApplication -options node.json com.example.MainVerticle}.
 */
public final class ShardbusApplication {
    private static final Set<String> CLUSTERED = Set.of("-c", "-cluster", "--cluster");

    private ShardbusApplication() {}

    /** @param arguments those of {@link VertxApplication} */
    public static void main(String[] arguments) {
        new VertxApplication(clustered(arguments), new ShardbusHooks()).launch();
    }

    private static String[] clustered(String[] arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        if (all.stream().noneMatch(argument -> CLUSTERED.contains(argument.toLowerCase(Locale.ROOT)))) {
            all.add(0, "-cluster");
        }
        return all.toArray(String[]::new);
    }
}
