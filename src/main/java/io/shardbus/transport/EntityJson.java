package io.shardbus.transport;

import io.shardbus.core.protocol.EntityOrder;
import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.EntityReport;
import io.shardbus.model.FailureCode;
import io.shardbus.model.StartReason;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * JSON form of the answers of homes about single entities. Unknown keys, which a later build may add, are ignored.
 */
final class EntityJson {
    private static final String ORDER = "order";
    private static final String REMEMBERED = "remembered";
    private static final String INSTANCE = "instance";
    private static final String PHASE = "phase";
    private static final String INCARNATION = "incarnation";
    private static final String START_REASON = "startReason";
    private static final String LIVE_MS = "liveMs";
    private static final String INSPECTABLE = "inspectable";
    private static final String WAITING = "waiting";
    private static final String OLDEST_WAIT_MS = "oldestWaitMs";
    private static final String STASHED = "stashed";
    private static final String TIMERS = "timers";
    private static final String MESSAGE = "message";
    private static final String BUSY_MS = "busyMs";
    private static final String RESTARTS = "restarts";
    private static final String FAILURE = "failure";
    private static final String FAILURE_KIND = "failureKind";
    private static final String FAILURE_MS = "failureMs";
    private static final String STATE = "state";
    private static final String CODE = "code";
    private static final String TEXT = "text";

    private EntityJson() {}

    static Query.Treat treat(String type, int shard, String entityId, JsonObject json) {
        return new Query.Treat(type, shard, entityId, EntityOrder.valueOf(json.getString(ORDER, "")));
    }

    static void write(QueryAnswer.FromHome answer, JsonObject json) {
        if (answer instanceof QueryAnswer.Found found) {
            json.put(REMEMBERED, found.remembered());
            EntityReport.Instance instance = found.instance();
            if (instance != null) {
                json.put(INSTANCE, write(instance));
            }
        } else if (answer instanceof QueryAnswer.State state) {
            put(json, STATE, state.json());
            write(state.failure(), state.text(), json);
        } else if (answer instanceof QueryAnswer.Erased erased) {
            write(erased.failure(), erased.text(), json);
        } else if (answer instanceof QueryAnswer.Treated treated) {
            json.put("refusal", treated.refusal());
        }
    }

    private static void write(@Nullable FailureCode failure, String text, JsonObject json) {
        put(json, CODE, failure == null ? null : failure.name());
        json.put(TEXT, text);
    }

    private static JsonObject write(EntityReport.Instance instance) {
        EntityReport.Mailbox mailbox = instance.mailbox();
        EntityReport.Failure failure = instance.lastFailure();
        JsonObject json = new JsonObject()
                .put(PHASE, instance.phase().name())
                .put(INCARNATION, instance.incarnation())
                .put(START_REASON, instance.startReason().name())
                .put(LIVE_MS, instance.liveMs())
                .put(INSPECTABLE, instance.inspectable())
                .put(WAITING, mailbox.waiting())
                .put(OLDEST_WAIT_MS, mailbox.oldestWaitMs())
                .put(STASHED, mailbox.stashed())
                .put(TIMERS, mailbox.timers())
                .put(BUSY_MS, mailbox.busyMs())
                .put(RESTARTS, instance.restarts());
        put(json, MESSAGE, mailbox.message());
        if (failure != null) {
            json.put(FAILURE, failure.text()).put(FAILURE_KIND, failure.kind()).put(FAILURE_MS, failure.agoMs());
        }
        return json;
    }

    private static void put(JsonObject json, String key, @Nullable String text) {
        if (text != null) {
            json.put(key, text);
        }
    }

    static QueryAnswer.Found found(JsonObject json, boolean elsewhere) {
        JsonObject instance = json.getJsonObject(INSTANCE);
        return new QueryAnswer.Found(
                instance == null ? null : instance(instance), json.getBoolean(REMEMBERED, false), elsewhere);
    }

    private static EntityReport.Instance instance(JsonObject json) {
        String failure = json.getString(FAILURE);
        return new EntityReport.Instance(
                EntityReport.Phase.valueOf(json.getString(PHASE, "")),
                json.getString(INCARNATION, ""),
                StartReason.valueOf(json.getString(START_REASON, "")),
                json.getLong(LIVE_MS, 0L),
                json.getBoolean(INSPECTABLE, false),
                new EntityReport.Mailbox(
                        json.getInteger(WAITING, 0),
                        json.getLong(OLDEST_WAIT_MS, 0L),
                        json.getInteger(STASHED, 0),
                        json.getInteger(TIMERS, 0),
                        json.getString(MESSAGE),
                        json.getLong(BUSY_MS, 0L)),
                json.getInteger(RESTARTS, 0),
                failure == null
                        ? null
                        : new EntityReport.Failure(
                                json.getString(FAILURE_KIND, ""), failure, json.getLong(FAILURE_MS, 0L)));
    }

    static QueryAnswer.State state(JsonObject json, boolean elsewhere) {
        return new QueryAnswer.State(json.getString(STATE), code(json), json.getString(TEXT, ""), elsewhere);
    }

    static QueryAnswer.Erased erased(JsonObject json, boolean elsewhere) {
        return new QueryAnswer.Erased(code(json), json.getString(TEXT, ""), elsewhere);
    }

    private static @Nullable FailureCode code(JsonObject json) {
        String code = json.getString(CODE);
        return code == null ? null : FailureCode.valueOf(code);
    }
}
