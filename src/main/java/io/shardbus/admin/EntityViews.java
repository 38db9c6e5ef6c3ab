package io.shardbus.admin;

import io.shardbus.model.ClusterEvent;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.EntityReport;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Single entities as JSON. */
final class EntityViews {
    private EntityViews() {}

    /** @param shown whether what the entity knows may be shown here; its home may have hidden it before */
    static JsonObject entity(EntityReport report, boolean shown) {
        EntityReport.Instance found = report.instance();
        EntityReport.Instance instance = found == null || shown ? found : found.withoutState();
        return AdminViews.entity(report.location())
                .put("remembered", report.remembered())
                .put("instance", instance == null ? null : view(instance));
    }

    /** An entity of which only the location is known. */
    static JsonObject located(EntityLocation at) {
        return unknown(AdminViews.entity(at));
    }

    /** One whose shard has no home. */
    static JsonObject nowhere(String type, String id) {
        return unknown(AdminViews.homelessEntity(type, id));
    }

    private static JsonObject unknown(JsonObject place) {
        return place.putNull("remembered").putNull("instance");
    }

    private static JsonObject view(EntityReport.Instance instance) {
        EntityReport.Mailbox mailbox = instance.mailbox();
        return new JsonObject()
                .put("phase", ClusterEvent.text(instance.phase()))
                .put("incarnation", instance.incarnation())
                .put("startReason", ClusterEvent.text(instance.startReason()))
                .put("liveMs", instance.liveMs())
                .put("inspectable", instance.inspectable())
                .put("message", mailbox.message())
                .put("busyMs", mailbox.busyMs())
                .put("waiting", mailbox.waiting())
                .put("oldestWaitMs", mailbox.oldestWaitMs())
                .put("stashed", mailbox.stashed())
                .put("timers", mailbox.timers())
                .put("restarts", instance.restarts())
                .put("lastFailure", view(instance.lastFailure()));
    }

    private static @Nullable JsonObject view(EntityReport.@Nullable Failure failure) {
        return failure == null
                ? null
                : new JsonObject()
                        .put("kind", failure.kind())
                        .put("text", failure.text())
                        .put("agoMs", failure.agoMs());
    }
}
