package io.shardbus.launcher;

import io.vertx.config.ConfigRetriever;
import io.vertx.config.ConfigRetrieverOptions;
import io.vertx.config.ConfigStoreOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * The stores of vertx-config that a launcher's file names in "configStores". Each has the keys of
 * {@link ConfigStoreOptions} (type, format, optional, config). Its optional key "from", with dots between keys, selects
 * the part of its content that is used. The stores are read once, before anything starts. A value of a store replaces
 * the one of an earlier store and of the file.
 */
final class ConfigStores {
    static final String KEY = "configStores";
    private static final String TYPE = "type";
    private static final String FROM = "from";
    private static final String JSON = "json";
    private static final Set<String> KEYS = Set.of(TYPE, "format", "optional", "config", FROM);
    private static final int SECONDS = 30;

    private ConfigStores() {}

    /**
     * The file's content with what its stores say; blocks, for half a minute at most for each.
     *
     * @param file with values in the place of variables
     * @param resolved gives the content of a store values in the place of variables
     * @throws IllegalArgumentException naming the store that is wrong, or cannot be read
     */
    static JsonObject merge(JsonObject file, UnaryOperator<JsonObject> resolved) {
        var root = new ConfigSection("", file);
        List<ConfigSection> stores = root.sections(KEY);
        JsonObject merged = root.without(Set.of(KEY));
        if (stores.isEmpty()) {
            return merged;
        }
        requireModule(root);
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1));
        try {
            for (ConfigSection store : stores) {
                JsonObject content = read(vertx, store);
                // that of a JSON store is in the file itself, whose variables are resolved
                boolean ofFile = JSON.equals(store.requiredText(TYPE));
                merged.mergeIn(ofFile ? content : resolved.apply(content), true);
            }
        } finally {
            vertx.close().await();
        }
        return merged;
    }

    private static void requireModule(ConfigSection root) {
        try {
            Class.forName("io.vertx.config.ConfigRetriever", false, ConfigStores.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw root.refusal(KEY, "needs the dependency io.vertx:vertx-config on the class path");
        }
    }

    private static JsonObject read(Vertx vertx, ConfigSection store) {
        store.allow(KEYS);
        store.requiredText(TYPE);
        var from = store.text(FROM, null);
        try {
            var options = new ConfigStoreOptions(store.without(Set.of(FROM)));
            var content = ConfigRetriever.create(
                            vertx,
                            new ConfigRetrieverOptions()
                                    .setIncludeDefaultStores(false)
                                    .setScanPeriod(0)
                                    .addStore(options))
                    .getConfig()
                    .timeout(SECONDS, TimeUnit.SECONDS)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            return from == null ? content : part(content, from);
        } catch (CompletionException | IllegalArgumentException e) {
            var cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
            throw store.refusal(TYPE, "the store cannot be read: " + cause.getMessage());
        }
    }

    /** Empty where the content has no such object. */
    private static JsonObject part(JsonObject content, String from) {
        var part = content;
        for (var key : from.split("\\.", -1)) {
            part = part.getValue(key) instanceof JsonObject inside ? inside : new JsonObject();
        }
        return part;
    }
}
