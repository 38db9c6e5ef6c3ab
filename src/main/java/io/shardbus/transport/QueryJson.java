package io.shardbus.transport;

import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Queries and their answers as JSON. A reader ignores fields that it does not know. */
final class QueryJson {
    private static final String KIND = "question";
    private static final String TYPE = "type";
    private static final String SHARD = "shard";
    private static final String NODE = "node";
    private static final String NODES = "nodes";
    private static final String LANES = "lanes";
    private static final String HOME = "home";
    private static final String ALLOCATION = "allocation";
    private static final String TOKEN = "token";
    private static final String CONFIRMED = "confirmed";
    private static final String HANDOFF = "handoff";
    private static final String HANDOFFS = "handoffs";
    private static final String SHARDS = "shards";
    private static final String REGIONS = "regions";
    private static final String NUMBER_OF_SHARDS = "numberOfShards";
    private static final String STATES_LOST = "statesLost";
    private static final String PROXY = "proxy";
    private static final String OPEN = "open";
    private static final String MISSING = "missing";
    private static final String OPENS_IN = "opensInMs";
    private static final String UNKNOWN = "unknown";
    private static final String BUFFERED = "buffered";
    private static final String COUNTERS = "counters";
    private static final String IDS = "ids";
    private static final String ID = "id";
    private static final String LIVE = "live";
    private static final String ELSEWHERE = "elsewhere";
    private static final String ENTITY = "entity";
    private static final String STATE = "state";
    private static final String TREAT = "treat";
    private static final String ERASE = "erase";
    private static final String EVENTS = "events";
    private static final String OVERVIEW = "overview";
    private static final String STATUS = "status";
    private static final String LATENCY = "latency";
    private static final String CONNECTIONS = "connections";
    private static final String DEAD_LETTERS = "dead-letters";
    private static final String SILENCES = "silences";
    private static final String ORDER = "order";
    private static final String PLAN = "plan";
    private static final String WHY = "why";
    private static final String REFUSAL = "refusal";
    private static final String AFTER = "after";
    private static final String LIMIT = "limit";
    private static final String REBALANCE_SOME = "rebalance-some";
    private static final String NUMBER = "number";

    private QueryJson() {}

    static JsonObject write(Query<?> query) {
        JsonObject json = new JsonObject().put(KIND, kind(query));
        if (query instanceof Query.OfType<?> ofType) {
            json.put(TYPE, ofType.type());
        }
        if (query instanceof Query.OfHome<?> ofHome) {
            json.put(SHARD, ofHome.shard());
        }
        if (query instanceof Query.HomeOf home) {
            json.put(SHARD, home.shard());
        } else if (query instanceof Query.Drain drain) {
            json.put(NODE, drain.node().value());
        } else if (query instanceof Query.Undrain undrain) {
            json.put(NODE, undrain.node().value());
        } else if (query instanceof Query.Rebalance rebalance && rebalance.isLimited()) {
            json.put(LIMIT, rebalance.most());
        } else if (query instanceof Query.PrepareForShutdown prepare) {
            putAnnouncement(prepare, json);
        } else if (query instanceof Query.Greet greet) {
            json.put(NODE, greet.node().value()).put(LANES, greet.lanes());
        } else if (query instanceof Query.IsLive live) {
            json.put(ID, live.entityId());
        } else if (query instanceof Query.EntityOf of) {
            json.put(ID, of.entityId());
        } else if (query instanceof Query.StateOf of) {
            json.put(ID, of.entityId());
        } else if (query instanceof Query.Treat treat) {
            json.put(ID, treat.entityId()).put(ORDER, treat.order().name());
        } else if (query instanceof Query.Erase erase) {
            json.put(ID, erase.entityId());
        } else if (query instanceof Query.EventsOf events) {
            json.put(AFTER, events.after()).put(LIMIT, events.limit());
        } else if (query instanceof Query.Order order) {
            json.mergeIn(OperationJson.write(order.order()));
        } else if (query instanceof Query.PlanOf plan) {
            OperationJson.write(plan, json);
        } else if (query instanceof Query.WhyOf why) {
            json.put(SHARD, why.shard());
        }
        return json;
    }

    private static String kind(Query<?> query) {
        if (query instanceof Query.TableOf) {
            return "table";
        } else if (query instanceof Query.HomeOf) {
            return HOME;
        } else if (query instanceof Query.IsOpen) {
            return OPEN;
        } else if (query instanceof Query.Rebalance rebalance) {
            // a coordinator of an earlier build refuses the second one: it would move all that its strategy chooses
            return rebalance.isLimited() ? REBALANCE_SOME : "rebalance";
        } else if (query instanceof Query.Drain) {
            return "drain";
        } else if (query instanceof Query.Undrain) {
            return "undrain";
        } else if (query instanceof Query.Drained) {
            return "drained";
        } else if (query instanceof Query.PrepareForShutdown prepare) {
            return prepare.stops() ? "prepare" : "unprepare";
        } else if (query instanceof Query.Greet) {
            return "greet";
        } else if (query instanceof Query.RegionOf) {
            return "region";
        } else if (query instanceof Query.IdsOf) {
            return IDS;
        } else if (query instanceof Query.IsLive) {
            return LIVE;
        } else if (query instanceof Query.EntityOf) {
            return ENTITY;
        } else if (query instanceof Query.StateOf) {
            return STATE;
        } else if (query instanceof Query.Treat) {
            return TREAT;
        } else if (query instanceof Query.Erase) {
            return ERASE;
        } else if (query instanceof Query.EventsOf) {
            return EVENTS;
        } else if (query instanceof Query.Overview) {
            return OVERVIEW;
        } else if (query instanceof Query.StatusOf) {
            return STATUS;
        } else if (query instanceof Query.LatencyOf) {
            return LATENCY;
        } else if (query instanceof Query.ConnectionsOf) {
            return CONNECTIONS;
        } else if (query instanceof Query.DeadLettersOf) {
            return DEAD_LETTERS;
        } else if (query instanceof Query.SilencesOf) {
            return SILENCES;
        } else if (query instanceof Query.Order) {
            return ORDER;
        } else if (query instanceof Query.PlanOf) {
            return PLAN;
        } else if (query instanceof Query.WhyOf) {
            return WHY;
        }
        return ((Query.Unknown) query).kind();
    }

    static Query<?> query(JsonObject json) {
        String kind = json.getString(KIND, "");
        return switch (kind) {
            case "table" -> new Query.TableOf(text(json, TYPE));
            case HOME -> new Query.HomeOf(text(json, TYPE), number(json, SHARD));
            case OPEN -> new Query.IsOpen(text(json, TYPE));
            case "rebalance" -> new Query.Rebalance(text(json, TYPE));
            case REBALANCE_SOME -> new Query.Rebalance(text(json, TYPE), number(json, LIMIT));
            case "drain" -> new Query.Drain(node(json, NODE));
            case "undrain" -> new Query.Undrain(node(json, NODE));
            case "drained" -> new Query.Drained();
            case "prepare" -> announcement(true, json);
            case "unprepare" -> announcement(false, json);
            case "greet" -> new Query.Greet(text(json, TYPE), node(json, NODE), number(json, LANES));
            case "region" -> new Query.RegionOf(text(json, TYPE));
            case IDS -> new Query.IdsOf(text(json, TYPE), number(json, SHARD));
            case LIVE -> new Query.IsLive(text(json, TYPE), number(json, SHARD), text(json, ID));
            case ENTITY -> new Query.EntityOf(text(json, TYPE), number(json, SHARD), text(json, ID));
            case STATE -> new Query.StateOf(text(json, TYPE), number(json, SHARD), text(json, ID));
            case TREAT -> EntityJson.treat(text(json, TYPE), number(json, SHARD), text(json, ID), json);
            case ERASE -> new Query.Erase(text(json, TYPE), number(json, SHARD), text(json, ID));
            case EVENTS -> new Query.EventsOf(json.getLong(AFTER, 0L), number(json, LIMIT));
            case OVERVIEW -> new Query.Overview();
            case STATUS -> new Query.StatusOf();
            case LATENCY -> new Query.LatencyOf();
            case CONNECTIONS -> new Query.ConnectionsOf();
            case DEAD_LETTERS -> new Query.DeadLettersOf();
            case SILENCES -> new Query.SilencesOf();
            case ORDER -> new Query.Order(OperationJson.order(json));
            case PLAN -> OperationJson.plan(text(json, TYPE), json);
            case WHY -> new Query.WhyOf(text(json, TYPE), number(json, SHARD));
            default -> new Query.Unknown(kind);
        };
    }

    static JsonObject write(QueryAnswer answer) {
        JsonObject json = new JsonObject();
        if (answer instanceof QueryAnswer.Table table) {
            json.put(SHARDS, array(table.shards(), QueryJson::write))
                    .put(REGIONS, array(table.regions(), QueryJson::write))
                    .put(NUMBER_OF_SHARDS, table.numberOfShards())
                    .put(STATES_LOST, table.statesLost());
        } else if (answer instanceof QueryAnswer.Home home) {
            json.put(NUMBER_OF_SHARDS, home.numberOfShards()).put(ALLOCATION, home.allocation());
            home.shard().ifPresent(row -> json.mergeIn(write(row)));
        } else if (answer instanceof QueryAnswer.Open open) {
            json.put(OPEN, open.open()).put(MISSING, open.missing()).put(OPENS_IN, open.opensInMs());
        } else if (answer instanceof QueryAnswer.Handoffs moves) {
            json.put(HANDOFFS, moves.handoffs());
            put(json, UNKNOWN, moves.unknown());
        } else if (answer instanceof QueryAnswer.Nodes nodes) {
            json.put(NODES, array(nodes.nodes(), NodeId::value));
        } else if (answer instanceof QueryAnswer.Lanes lanes) {
            json.put(LANES, lanes.lanes());
        } else if (answer instanceof QueryAnswer.Announced announced) {
            json.put(NUMBER, announced.outdatedBy());
        } else if (answer instanceof QueryAnswer.Region region) {
            write(region, json);
        } else if (answer instanceof QueryAnswer.Ids ids) {
            json.put(IDS, array(ids.ids(), id -> id));
            put(json, ELSEWHERE, ids.elsewhere());
        } else if (answer instanceof QueryAnswer.Live live) {
            json.put(LIVE, live.live());
            put(json, ELSEWHERE, live.elsewhere());
        } else if (answer instanceof QueryAnswer.FromHome fromHome) {
            EntityJson.write(fromHome, json);
            put(json, ELSEWHERE, fromHome.elsewhere());
        } else if (answer instanceof QueryAnswer.Events events) {
            return OperationJson.write(events);
        } else if (answer instanceof QueryAnswer.Types types) {
            return OperationJson.write(types);
        } else if (answer instanceof QueryAnswer.Status status) {
            return OperationJson.write(status);
        } else if (answer instanceof QueryAnswer.Latency latency) {
            return LatencyJson.write(latency);
        } else if (answer instanceof QueryAnswer.Connections connections) {
            return ConnectionJson.write(connections.node());
        } else if (answer instanceof QueryAnswer.DeadLetters letters) {
            return DeadLetterJson.write(letters);
        } else if (answer instanceof QueryAnswer.Silences silences) {
            return SilenceJson.write(silences);
        } else if (answer instanceof QueryAnswer.Ordered ordered) {
            json.put(REFUSAL, ordered.refusal());
        } else if (answer instanceof QueryAnswer.Plan plan) {
            return OperationJson.write(plan.plan());
        } else if (answer instanceof QueryAnswer.Why why) {
            return OperationJson.write(why.reasons());
        }
        return json;
    }

    private static void write(QueryAnswer.Region region, JsonObject json) {
        JsonObject counters = new JsonObject();
        region.counters().forEach(counters::put);
        json.put(PROXY, region.proxy())
                .put(SHARDS, array(region.shards(), QueryJson::write))
                .put(BUFFERED, region.buffered())
                .put(COUNTERS, counters);
        HoldUpJson.write(region.holdUps(), json);
    }

    private static void put(JsonObject json, String key, boolean set) {
        if (set) {
            json.put(key, true);
        }
    }

    private static JsonObject write(QueryAnswer.Shard row) {
        JsonObject json = new JsonObject()
                .put(SHARD, row.shard())
                .put(HOME, row.home().value())
                .put(TOKEN, write(row.token()))
                .put(CONFIRMED, row.confirmed());
        FencingToken handoff = row.handoff();
        return handoff == null ? json : json.put(HANDOFF, write(handoff)).put("age", row.handoffAge());
    }

    private static JsonObject write(QueryAnswer.RegionRow row) {
        return new JsonObject()
                .put(NODE, row.node().value())
                .put(PROXY, row.proxy())
                .put("leaving", row.leaving())
                .put("gone", row.gone())
                .put(SHARDS, row.shards());
    }

    private static JsonArray write(QueryAnswer.ShardCount count) {
        return JsonArray.of(
                count.shard(),
                count.entities(),
                count.remembered(),
                count.restarting(),
                count.passivated(),
                count.messages(),
                count.busyMicros());
    }

    private static JsonArray write(FencingToken token) {
        return JsonArray.of(token.term(), token.incarnation(), token.sequence());
    }

    private static <T> JsonArray array(Iterable<T> values, Function<T, Object> writer) {
        JsonArray array = new JsonArray();
        values.forEach(value -> array.add(writer.apply(value)));
        return array;
    }

    /** The answer to this query. */
    static QueryAnswer answer(Query<?> query, JsonObject json) {
        if (query instanceof Query.TableOf) {
            return table(json);
        } else if (query instanceof Query.HomeOf) {
            int shards = json.getInteger(NUMBER_OF_SHARDS, 0);
            return new QueryAnswer.Home(
                    shards,
                    json.containsKey(HOME) ? Optional.of(shard(json)) : Optional.empty(),
                    json.getString(ALLOCATION, ""));
        } else if (query instanceof Query.IsOpen) {
            return new QueryAnswer.Open(
                    json.getBoolean(OPEN, false), json.getInteger(MISSING, 0), json.getLong(OPENS_IN, 0L));
        } else if (query instanceof Query.Rebalance || query instanceof Query.Drain || query instanceof Query.Undrain) {
            return new QueryAnswer.Handoffs(json.getInteger(HANDOFFS, 0), json.getBoolean(UNKNOWN, false));
        } else if (query instanceof Query.Drained) {
            return new QueryAnswer.Nodes(
                    texts(json, NODES).stream().map(NodeId::new).toList());
        } else if (query instanceof Query.Greet) {
            return new QueryAnswer.Lanes(json.getInteger(LANES, 0));
        } else if (query instanceof Query.PrepareForShutdown) {
            return new QueryAnswer.Announced(json.getLong(NUMBER, 0L));
        } else if (query instanceof Query.RegionOf) {
            return region(json);
        } else if (query instanceof Query.IdsOf) {
            return new QueryAnswer.Ids(texts(json, IDS), json.getBoolean(ELSEWHERE, false));
        } else if (query instanceof Query.IsLive) {
            return new QueryAnswer.Live(json.getBoolean(LIVE, false), json.getBoolean(ELSEWHERE, false));
        } else if (query instanceof Query.EntityOf) {
            return EntityJson.found(json, json.getBoolean(ELSEWHERE, false));
        } else if (query instanceof Query.StateOf) {
            return EntityJson.state(json, json.getBoolean(ELSEWHERE, false));
        } else if (query instanceof Query.Treat) {
            return new QueryAnswer.Treated(json.getString(REFUSAL, ""), json.getBoolean(ELSEWHERE, false));
        } else if (query instanceof Query.Erase) {
            return EntityJson.erased(json, json.getBoolean(ELSEWHERE, false));
        } else if (query instanceof Query.EventsOf) {
            return OperationJson.events(json);
        } else if (query instanceof Query.Overview) {
            return OperationJson.types(json);
        } else if (query instanceof Query.StatusOf) {
            return OperationJson.status(json);
        } else if (query instanceof Query.LatencyOf) {
            return LatencyJson.latency(json);
        } else if (query instanceof Query.ConnectionsOf) {
            return new QueryAnswer.Connections(ConnectionJson.node(json));
        } else if (query instanceof Query.DeadLettersOf) {
            return DeadLetterJson.letters(json);
        } else if (query instanceof Query.SilencesOf) {
            return SilenceJson.silences(json);
        } else if (query instanceof Query.Order) {
            return new QueryAnswer.Ordered(json.getString(REFUSAL, ""));
        } else if (query instanceof Query.PlanOf) {
            return new QueryAnswer.Plan(OperationJson.plan(json));
        } else if (query instanceof Query.WhyOf) {
            return new QueryAnswer.Why(OperationJson.reasons(json));
        }
        return new QueryAnswer.Done();
    }

    static QueryAnswer.Table table(JsonObject json) {
        return new QueryAnswer.Table(
                objects(json, SHARDS).stream().map(QueryJson::shard).toList(),
                objects(json, REGIONS).stream()
                        .map(row -> new QueryAnswer.RegionRow(
                                node(row, NODE),
                                row.getBoolean(PROXY, false),
                                row.getBoolean("leaving", false),
                                row.getBoolean("gone", false),
                                row.getInteger(SHARDS, 0)))
                        .toList(),
                json.getInteger(NUMBER_OF_SHARDS, 0),
                json.getLong(STATES_LOST, 0L));
    }

    private static QueryAnswer.Shard shard(JsonObject json) {
        return new QueryAnswer.Shard(
                json.getInteger(SHARD, 0),
                node(json, HOME),
                token(json.getJsonArray(TOKEN)),
                json.getBoolean(CONFIRMED, false),
                json.containsKey(HANDOFF) ? token(json.getJsonArray(HANDOFF)) : null,
                json.getLong("age", 0L));
    }

    static QueryAnswer.Region region(JsonObject json) {
        List<QueryAnswer.ShardCount> shards = new ArrayList<>();
        JsonArray rows = json.getJsonArray(SHARDS, new JsonArray());
        for (int i = 0; i < rows.size(); i++) {
            JsonArray row = rows.getJsonArray(i);
            shards.add(new QueryAnswer.ShardCount(
                    at(row, 0),
                    at(row, 1),
                    at(row, 2),
                    at(row, 3),
                    longAt(row, 4, 0),
                    longAt(row, 5, 0),
                    longAt(row, 6, -1)));
        }
        Map<String, Long> counters = new TreeMap<>();
        json.getJsonObject(COUNTERS, new JsonObject())
                .forEach(counter -> counters.put(counter.getKey(), ((Number) counter.getValue()).longValue()));
        return new QueryAnswer.Region(
                json.getBoolean(PROXY, false),
                shards,
                json.getInteger(BUFFERED, 0),
                counters,
                HoldUpJson.holdUps(json));
    }

    /** @param absent in the row of an earlier build, which is shorter */
    private static long longAt(JsonArray row, int index, long absent) {
        return index < row.size() ? row.getLong(index) : absent;
    }

    private static int at(JsonArray row, int index) {
        return index < row.size() ? row.getInteger(index) : 0;
    }

    private static FencingToken token(JsonArray token) {
        return new FencingToken(token.getLong(0), token.getLong(1), token.getLong(2));
    }

    private static List<JsonObject> objects(JsonObject json, String key) {
        JsonArray array = json.getJsonArray(key, new JsonArray());
        List<JsonObject> objects = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            objects.add(array.getJsonObject(i));
        }
        return objects;
    }

    private static Set<String> texts(JsonObject json, String key) {
        Set<String> texts = new LinkedHashSet<>();
        json.getJsonArray(key, new JsonArray()).forEach(text -> texts.add((String) text));
        return texts;
    }

    private static void putAnnouncement(Query.PrepareForShutdown prepare, JsonObject json) {
        NodeId by = prepare.by();
        if (by != null) {
            json.put(NODE, by.value()).put(NUMBER, prepare.number());
        }
    }

    /** A node of an earlier build says neither who announces nor a number. */
    private static Query.PrepareForShutdown announcement(boolean stops, JsonObject json) {
        return json.containsKey(NODE)
                ? new Query.PrepareForShutdown(stops, node(json, NODE), json.getLong(NUMBER, 0L))
                : new Query.PrepareForShutdown(stops);
    }

    private static NodeId node(JsonObject json, String key) {
        return new NodeId(text(json, key));
    }

    private static String text(JsonObject json, String key) {
        String text = json.getString(key);
        if (text == null) {
            throw new IllegalArgumentException(key + " is missing");
        }
        return text;
    }

    private static int number(JsonObject json, String key) {
        Integer number = json.getInteger(key);
        if (number == null) {
            throw new IllegalArgumentException(key + " is missing");
        }
        return number;
    }
}
