package io.shardbus.cli;

import io.shardbus.integration.Await;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.util.stream.Stream;

/** Admin resources with answers that a test gives. Close it. */
final class FakeNode implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final Router router = Router.router(vertx);
    private final int port = Await.result(
                    vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
            .actualPort();

    FakeNode answers(String path, JsonObject answer) {
        router.get("/api/v1" + path).handler(request -> request.json(answer));
        return this;
    }

    /** The same beside the versioned resources. */
    FakeNode answersAtMount(String path, JsonObject answer) {
        router.get(path).handler(request -> request.json(answer));
        return this;
    }

    FakeNode refuses(String path, int status, String message) {
        router.get("/api/v1" + path)
                .handler(request -> request.response()
                        .setStatusCode(status)
                        .end(new JsonObject().put("message", message).encode()));
        return this;
    }

    CommandRun run(String... arguments) {
        return CommandRun.of(Stream.concat(Stream.of("--url", "http://127.0.0.1:" + port), Stream.of(arguments))
                .toArray(String[]::new));
    }

    @Override
    public void close() {
        Await.result(vertx.close());
    }
}
