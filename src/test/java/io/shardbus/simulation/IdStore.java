package io.shardbus.simulation;

import io.shardbus.core.remember.RememberPort;
import io.shardbus.core.remember.RememberedLane;
import io.shardbus.model.FencingToken;
import io.shardbus.simulation.Violation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The store of remembered ids, one for all nodes. In bad times its operations are late or fail, are never answered, and
 * take hold or do not, or do so later: then only if no operation that was begun later has.
 */
final class IdStore {
    private static final class Content {
        final Set<String> ids = new TreeSet<>();
        FencingToken token = FencingToken.NONE;
        long operation;
    }

    private final Simulation world;
    private final SplittableRandom dice;
    private final Map<Integer, Content> contents = new TreeMap<>();
    private long troubledUntil;
    private long unreadableUntil;
    private int failedReads;
    private int failedStarts;

    IdStore(Simulation world) {
        this.world = world;
        this.dice = world.dice("ids");
    }

    void trouble(long until) {
        troubledUntil = until;
    }

    /** Until then no coordinator can read which shards have ids. */
    void refuseReads(long until) {
        unreadableUntil = until;
    }

    private boolean fails(SimNode node) {
        boolean troubled = world.scheduler().now() < troubledUntil && dice.nextInt(3) > 0;
        return troubled || !world.membership().mayUseStore(node.id);
    }

    /** How many times a coordinator could not read which shards have ids. */
    int failedReads() {
        return failedReads;
    }

    /** How many times an operation failed, or had an unknown outcome, that was to remember new ids. */
    int failedStarts() {
        return failedStarts;
    }

    /** What the store holds, in the end. */
    List<String> ids() {
        List<String> all = new ArrayList<>();
        contents.values().forEach(content -> all.addAll(content.ids));
        return all;
    }

    /** An entity that is there was remembered first. */
    void mustHave(String entity) {
        if (world.options().remembering
                && world.typeOf(entity).isMain()
                && !content(world.shardOf(entity)).ids.contains(entity)) {
            throw new Violation(Kind.FORGOTTEN, entity + " is live and not remembered");
        }
    }

    private Content content(int shard) {
        return contents.computeIfAbsent(shard, key -> new Content());
    }

    void readShards(SimNode node, Consumer<@Nullable Set<Integer>> answer) {
        world.scheduler().after(Network.delay(dice), () -> {
            boolean failed = world.scheduler().now() < unreadableUntil || fails(node);
            failedReads += failed ? 1 : 0;
            Set<Integer> found = new TreeSet<>();
            contents.forEach((shard, content) -> {
                if (!content.ids.isEmpty()) {
                    found.add(shard);
                }
            });
            world.scheduler()
                    .after(Network.delay(dice), () -> node.onControl(0, () -> answer.accept(failed ? null : found)));
        });
    }

    void open(LaneLoop lane, RememberPort.Key key) {
        attempt(
                lane,
                key,
                Set.of(),
                Set.of(),
                (rememberedShards, content) -> rememberedShards.opened(key, content.ids));
    }

    void store(LaneLoop lane, RememberPort.Key key, Set<String> added, Set<String> removed) {
        attempt(lane, key, added, removed, (rememberedShards, content) -> rememberedShards.stored(key));
    }

    private void attempt(
            LaneLoop lane,
            RememberPort.Key key,
            Set<String> added,
            Set<String> removed,
            BiConsumer<RememberedLane, Content> success) {
        world.scheduler().after(Network.delay(dice), () -> {
            if (fails(lane.node)) {
                failedStarts += added.isEmpty() ? 0 : 1;
                spoil(lane, key, () -> apply(lane, key, added, removed));
            } else if (apply(lane, key, added, removed)) {
                Content copy = new Content();
                copy.ids.addAll(content(key.shard()).ids);
                answer(lane, rememberedShards -> success.accept(rememberedShards, copy));
            } else {
                answer(lane, rememberedShards -> rememberedShards.stale(key));
            }
        });
    }

    /** The outcome of the operation is unknown. */
    private void spoil(LaneLoop lane, RememberPort.Key key, Runnable take) {
        switch (dice.nextInt(4)) {
            case 0 -> take.run();
            case 1 -> world.scheduler().after(100 + dice.nextInt(2_000), take);
            default -> {
                // it never took hold
            }
        }
        if (dice.nextInt(3) > 0) {
            answer(lane, rememberedShards -> rememberedShards.failed(key));
        }
    }

    /** False: the token is older than another one. */
    private boolean apply(LaneLoop lane, RememberPort.Key key, Set<String> added, Set<String> removed) {
        Content content = content(key.shard());
        if (content.token.isNewerThan(key.token())) {
            return false;
        }
        boolean overtaken = content.token.equals(key.token()) && key.operation() < content.operation;
        if (!overtaken) {
            content.token = key.token();
            content.operation = key.operation();
            content.ids.addAll(added);
            content.ids.removeAll(removed);
            world.timeline().add(lane, "remembers", key.shard() + " +" + added + " -" + removed);
            removed.forEach(this::mustBeGone);
        }
        return true;
    }

    private void mustBeGone(String entity) {
        if (world.ledger().isLive(entity)) {
            throw new Violation(Kind.FORGOTTEN, entity + " is forgotten while it is live");
        }
    }

    private void answer(LaneLoop lane, Consumer<RememberedLane> answer) {
        world.scheduler()
                .after(
                        Network.delay(dice),
                        () -> lane.post(
                                0, () -> answer.accept(lane.lane().hosted().rememberedShards())));
    }
}
