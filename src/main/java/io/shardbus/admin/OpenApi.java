package io.shardbus.admin;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The admin resources below the version as an OpenAPI document; a test compares it with the routes. */
final class OpenApi {
    private static final Pattern PARAMETER = Pattern.compile(":([a-z]+)");
    private static final String DESCRIPTION = "description";
    private static final String CONTENT = "content";
    private static final String SCHEMA = "schema";
    private static final String OBJECT = "object";
    private static final String STRING = "string";
    private static final String TYPE = "type";

    private static final List<Operation> OPERATIONS = List.of(
            get("/cluster", "Members, coordinator, term, availability", "self", "coordinator", "term", "nodes"),
            get("/types", "The types that were started on this node", "types"),
            get("/types/:type", "Shards, regions and handoffs of a type", "shards", "regions", "handoffs"),
            get("/types/:type/shards/:shard", "Ids of the live entities of a shard", "entities")
                    .refusing(400, 404),
            get("/types/:type/shards/:shard/why", "Why a shard is where it is", "home", "candidates", "history")
                    .refusing(400, 404),
            get("/types/:type/entities", "Live entities, page by page", "entities", "after")
                    .with("prefix", "node", "shard", "after", "limit")
                    .refusing(400, 404),
            get("/types/:type/entities/:id", "Where an entity is, and what it does", "node", "live", "instance")
                    .with("id"),
            get("/types/:type/entities/:id/state", "What an entity shows of its state", "state")
                    .with("id"),
            change("POST", "/types/:type/entities/:id/passivate", "Passivates an entity")
                    .with("id")
                    .refusing(404, 409),
            change(
                            "POST",
                            "/types/:type/entities/:id/restart",
                            "Restarts an entity: ends its instance and starts another one")
                    .with("id")
                    .refusing(404, 409),
            change(
                            "POST",
                            "/types/:type/entities/:id/forget",
                            "Forgets a remembered entity: ends its instance, deletes its id")
                    .with("id")
                    .refusing(404, 409),
            change(
                            "POST",
                            "/types/:type/entities/:id/erase",
                            "Erases the stored events and state of a persistent entity")
                    .with("id")
                    .refusing(404, 409),
            get(
                            "/types/:type/plan",
                            "What an action would move",
                            "moves",
                            "reasons",
                            "note",
                            "from",
                            "after",
                            "expectedMs")
                    .with("action", "node", "limit")
                    .requiring("action")
                    .refusing(400, 404),
            get("/types/:type/passivation", "How entities are passivated on this node", "strategy"),
            change("POST", "/types/:type/passivation", "Changes the limit of active entities on this node", "limit")
                    .refusing(400, 404, 409),
            change("DELETE", "/types/:type/passivation", "Restores the configured limit of active entities")
                    .refusing(404, 409),
            change("POST", "/types/:type/rebalance", "Runs a rebalance round of a type now", "limit")
                    .refusing(400, 404, 409),
            change("PUT", "/types/:type/rebalancing", "Pauses or resumes rebalancing of a type", "enabled")
                    .refusing(400, 404, 409),
            change("PUT", "/rebalancing", "Pauses or resumes rebalancing of all types", "enabled")
                    .refusing(400, 409),
            change("POST", "/types/:type/shards/:shard/move", "Moves a shard to a node, or to any other one", "to")
                    .refusing(400, 404, 409),
            change("POST", "/types/:type/move", "Moves several shards to a node, or to any other ones", "shards", "to")
                    .refusing(400, 404, 409),
            change("PUT", "/types/:type/shards/:shard/pin", "Moves a shard to a node and keeps it there", "node")
                    .refusing(400, 404, 409),
            change("DELETE", "/types/:type/shards/:shard/pin", "Removes a pin").refusing(400, 404, 409),
            get("/types/:type/desired-homes", "Desired homes of a type's shards", "homes")
                    .refusing(400),
            change("PUT", "/types/:type/desired-homes", "Sets desired homes", "homes")
                    .refusing(400, 404, 409),
            change("DELETE", "/types/:type/desired-homes", "Clears all desired homes")
                    .refusing(400, 404, 409),
            change("PUT", "/types/:type/shards/:shard/desired-home", "Sets a desired home", "node")
                    .refusing(400, 404, 409),
            change("DELETE", "/types/:type/shards/:shard/desired-home", "Clears a desired home")
                    .refusing(400, 404, 409),
            change("POST", "/nodes/:node/drain", "Drains a node: moves all shards off it")
                    .refusing(404, 409),
            change("DELETE", "/nodes/:node/drain", "Cancels a drain").refusing(404, 409),
            change("PUT", "/nodes/:node/cordon", "Cordons a node: it gets no more shards")
                    .refusing(404, 409),
            change("DELETE", "/nodes/:node/cordon", "Removes a cordon").refusing(404, 409),
            change("POST", "/prepare-for-shutdown", "Announces that the whole cluster stops")
                    .refusing(409),
            change("DELETE", "/prepare-for-shutdown", "Cancels an announced shutdown")
                    .refusing(409),
            get("/overview", "All types and nodes in one answer", "cluster", "nodes", "types"),
            get("/nodes", "Health and load of all nodes", "nodes"),
            get("/nodes/:node", "Health and load of one node, and its regions", "id", "answers", "regions"),
            get(
                    "/process",
                    "Options, warnings and threads of this node's process",
                    "options",
                    "differences",
                    "threads"),
            get("/moves", "Shards that are moving, and those that wait for their move", "moves"),
            get("/latency", "How long asks, handling and waiting took, in microseconds", "types", "failed"),
            get("/hot", "The entities with the most messages, or busy for longest", "entities", "oneOf", "failed")
                    .with("by")
                    .refusing(400),
            get("/connections", "Traffic between the lanes of the nodes, and its transport", "nodes", "failed"),
            get("/dead-letters", "Dead letters: the last messages without an answer that failed", "letters", "failed"),
            get("/failures", "Failures by type and code, and the dead letters", "counts", "letters", "failed"),
            get("/silences", "How long messages waited for the homes of shards", "silences", "failed"),
            get("/events", "Events; a stream with Accept: text/event-stream", "events", "cursor", "more")
                    .with("after", "limit", "kind")
                    .refusing(400),
            get("/stream", "A snapshot, then merge patches, as server-sent events"),
            get(
                    "/snapshot",
                    "Everything that this node knows, for a bug report",
                    "overview",
                    "events",
                    "failures",
                    "silences",
                    "latency",
                    "hot",
                    "connections",
                    "process",
                    "options"),
            get("/daemons", "Sets of workers of this node", "daemons"),
            get("/daemons/:name", "A set of workers", "name", "workers"),
            change("PUT", "/daemons/:name", "Changes the number of workers", "workers")
                    .refusing(400, 404, 409),
            get("/singletons", "Singletons of this node", "singletons"),
            get("/projections", "Projections of this node, and how far they are behind", "projections"),
            get("/projections/:name", "A projection with its parked events", "name", "lag", "parkedEvents"),
            change("PUT", "/projections/:name/pause", "Pauses a projection on all nodes"),
            change("DELETE", "/projections/:name/pause", "Resumes a paused projection"),
            change("POST", "/projections/:name/reset", "Resets a paused projection to its first event")
                    .refusing(404, 409),
            get("/log-levels", "Loggers of this process whose level is changed temporarily", "available", "levels"),
            change("PUT", "/log-levels/:logger", "Changes the level of a logger temporarily", "level", "minutes")
                    .refusing(400, 404, 409),
            change("DELETE", "/log-levels/:logger", "Restores the configured level of a logger")
                    .refusing(404, 409),
            get("/data-centers", "Other data centers as this node sees them", "self", "others"),
            get("/openapi.json", "This document", "openapi", "paths"));

    /**
     * One method of one resource.
     *
     * @param keys of the answer of a read, of the body of a change
     * @param query names of query parameters
     * @param required those of them that a request must have
     * @param refusals statuses that say what is wrong with a request, beside those of {@link #statuses}
     */
    record Operation(
            String method,
            String path,
            String summary,
            List<String> keys,
            List<String> query,
            List<String> required,
            List<Integer> refusals) {
        Operation with(String... names) {
            return new Operation(method, path, summary, keys, List.of(names), required, refusals);
        }

        Operation requiring(String... names) {
            return new Operation(method, path, summary, keys, query, List.of(names), refusals);
        }

        Operation refusing(Integer... statuses) {
            return new Operation(method, path, summary, keys, query, required, List.of(statuses));
        }

        /**
         * All that it answers, lowest first: a request may be forbidden, a body too large, and a node that is asked may
         * fail, be away, or be too slow. Other methods of a resource are not its own.
         */
        List<Integer> statuses() {
            var all = new TreeSet<>(List.of(200, 403, 500, 503, 504));
            all.addAll(refusals);
            if (!reads()) {
                all.add(413);
            }
            return List.copyOf(all);
        }

        boolean reads() {
            return method.equals("GET");
        }
    }

    private OpenApi() {}

    private static Operation get(String path, String summary, String... keys) {
        return new Operation("GET", path, summary, List.of(keys), List.of(), List.of(), refusals(path));
    }

    private static Operation change(String method, String path, String summary, String... keys) {
        return new Operation(method, path, summary, List.of(keys), List.of(), List.of(), refusals(path));
    }

    /** A path may name an object that does not exist. */
    private static List<Integer> refusals(String path) {
        return path.contains(":") ? List.of(404) : List.of();
    }

    /** The paths of what can be read without naming a part of it, from the mount. */
    static List<String> readable() {
        return OPERATIONS.stream()
                .filter(operation -> operation.reads()
                        && !PARAMETER.matcher(operation.path()).find())
                .map(operation -> (AdminRoutes.API + operation.path()).substring(1))
                .toList();
    }

    static List<Operation> operations() {
        return OPERATIONS;
    }

    /** The document; paths are relative to the mount. */
    static JsonObject document() {
        var paths = new JsonObject();
        for (Operation operation : OPERATIONS) {
            var path = PARAMETER.matcher(AdminRoutes.API + operation.path()).replaceAll("{$1}");
            var item = paths.getJsonObject(path, new JsonObject());
            paths.put(path, item.put(operation.method().toLowerCase(Locale.ROOT), view(operation)));
        }
        return new JsonObject()
                .put("openapi", "3.0.3")
                .put(
                        "info",
                        new JsonObject()
                                .put("title", "Shardbus admin resources")
                                .put("version", "1")
                                .put(
                                        DESCRIPTION,
                                        "Changes need the header X-Shardbus-Request: 1. A type or an entity whose"
                                                + " name is one or two dots is named in the query, as type= or id=,"
                                                + " with a hyphen in the path."))
                .put("paths", paths)
                .put("components", new JsonObject().put("schemas", new JsonObject().put("Failure", failure())));
    }

    private static JsonObject view(Operation operation) {
        var view = new JsonObject()
                .put("summary", operation.summary())
                .put("parameters", parameters(operation))
                .put("responses", responses(operation));
        if (!operation.reads() && !operation.keys().isEmpty()) {
            view.put("requestBody", new JsonObject().put(CONTENT, json(object(operation.keys(), List.of()))));
        }
        return view;
    }

    /** An authentication handler before the resources may answer with what is not listed. */
    private static JsonObject responses(Operation operation) {
        var responses = new JsonObject();
        operation
                .statuses()
                .forEach(status -> responses.put(
                        status.toString(),
                        status == 200
                                ? answer(operation)
                                : failed(HttpResponseStatus.valueOf(status).reasonPhrase())));
        return responses.put("default", failed("A failure"));
    }

    private static JsonObject failed(String description) {
        return new JsonObject()
                .put(DESCRIPTION, description)
                .put(CONTENT, json(new JsonObject().put("$ref", "#/components/schemas/Failure")));
    }

    private static JsonObject answer(Operation operation) {
        var answer = new JsonObject().put(DESCRIPTION, operation.summary());
        if (operation.path().equals("/stream")) {
            var text = new JsonObject().put(SCHEMA, new JsonObject().put(TYPE, STRING));
            return answer.put(CONTENT, new JsonObject().put("text/event-stream", text));
        }
        var keys = operation.reads() ? operation.keys() : List.<String>of();
        return answer.put(CONTENT, json(object(keys, keys)));
    }

    private static JsonObject json(JsonObject schema) {
        return new JsonObject().put("application/json", new JsonObject().put(SCHEMA, schema));
    }

    private static JsonObject object(List<String> keys, List<String> required) {
        var properties = new JsonObject();
        keys.forEach(key -> properties.put(key, new JsonObject()));
        var schema = new JsonObject().put(TYPE, OBJECT).put("properties", properties);
        return required.isEmpty() ? schema : schema.put("required", new JsonArray(new ArrayList<>(required)));
    }

    private static JsonArray parameters(Operation operation) {
        var parameters = new JsonArray();
        PARAMETER
                .matcher(operation.path())
                .results()
                .forEach(name -> parameters.add(parameter(name.group(1), "path", true)));
        operation
                .query()
                .forEach(name -> parameters.add(
                        parameter(name, "query", operation.required().contains(name))));
        if (!operation.reads()) {
            parameters.add(parameter(AdminGuard.HEADER, "header", true));
        }
        return parameters;
    }

    private static JsonObject parameter(String name, String in, boolean required) {
        return new JsonObject()
                .put("name", name)
                .put("in", in)
                .put("required", required)
                .put(SCHEMA, new JsonObject().put(TYPE, STRING));
    }

    private static JsonObject failure() {
        return object(List.of("error", "message"), List.of("error", "message"));
    }
}
