package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.Await;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.WebClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client gets by its header Accept. */
class AcceptedTypesTest {
    private static final Vertx VERTX = Vertx.vertx();
    private static WebClient client;
    private static int port;

    @BeforeAll
    static void serve() {
        var router = Router.router(VERTX);
        router.get("/")
                .handler(
                        request -> request.response().end(String.valueOf(AcceptedTypes.prefers(request, "text/html"))));
        port = Await.result(VERTX.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
        client = WebClient.create(VERTX);
    }

    @AfterAll
    static void stop() {
        Await.result(VERTX.close());
    }

    private static String answer(String accept) {
        var request = client.get(port, "127.0.0.1", "/");
        return Await.result((accept == null ? request : request.putHeader("Accept", accept)).send())
                .bodyAsString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                                                                 | false",
                "text/html                                                        | true",
                "TEXT/HTML                                                        | true",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8  | true",
                "*/*                                                              | false",
                "text/*                                                           | false",
                "application/json                                                 | false",
                "application/json, text/html                                      | true",
                "application/json, text/html;q=0.5                                | false",
                "text/html;q=0.5, */*                                             | false",
                "text/html;q=0.5, */*;q=0.1                                       | true",
                "text/html;q=0.5, application/json;q=0.4, */*                     | true",
                "text/html;q=0                                                    | false",
                "text/html;q=0, */*;q=0.1                                         | false"
            })
    void theHeavierTypeWins(String accept, String html) {
        assertEquals(html, answer(accept));
    }
}
