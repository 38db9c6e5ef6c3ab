package io.shardbus.core.passivation;

import io.shardbus.core.passivation.PassivationSettings.Admission;
import io.shardbus.core.passivation.PassivationSettings.Replacing;
import io.shardbus.core.passivation.PassivationSettings.Sketch;
import io.shardbus.core.passivation.PassivationSettings.Window;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A main area with admission: new entities begin in a window, and one that leaves the window replaces an entity of the
 * main area only if it was used more often. The window's share may follow the traffic.
 */
final class CompositeLimit implements LimitPolicy {
    private final Replacement main;
    private final @Nullable Window window;
    private final Replacement recent;
    private final @Nullable Sketch sketchSettings;
    private final @Nullable HillClimbing climbing;
    private final Consumer<PassivationNode> victims;
    private @Nullable FrequencySketch sketch;
    private double proportion;
    private int limit = Integer.MAX_VALUE;
    private int mainLimit = Integer.MAX_VALUE;
    private int windowLimit;

    CompositeLimit(Replacing main, Admission admission, Consumer<PassivationNode> victims) {
        this.main = Replacement.of(main);
        this.window = admission.window();
        this.recent = Replacement.of(window == null ? Replacing.RECENT : window.order());
        this.proportion = window == null ? 0 : window.proportion();
        this.sketchSettings = admission.sketch();
        this.climbing = admission.climbing() == null ? null : new HillClimbing(admission.climbing());
        this.victims = victims;
    }

    int windowLimit() {
        return windowLimit;
    }

    @Override
    public void add(PassivationNode node) {
        use(node);
        if (windowLimit == 0) {
            admit(node);
        } else {
            PassivationNode candidate = recent.size() < windowLimit ? null : recent.evict();
            intoWindow(node);
            if (candidate != null) {
                candidate.inWindow = false;
                admit(candidate);
            }
        }
        climb(false);
    }

    private void intoWindow(PassivationNode node) {
        node.inWindow = true;
        recent.add(node);
    }

    /** The main area takes the candidate, in the place of another one if it is full, or the candidate is the victim. */
    private void admit(PassivationNode candidate) {
        if (main.size() < mainLimit) {
            main.add(candidate);
            return;
        }
        PassivationNode next = main.next();
        if (next == null || !isUsedMore(candidate, next)) {
            victims.accept(candidate);
        } else {
            main.evict();
            victims.accept(next);
            main.add(candidate);
        }
    }

    private boolean isUsedMore(PassivationNode candidate, PassivationNode other) {
        return sketchSettings == null || sketch().frequency(candidate.id()) > sketch().frequency(other.id());
    }

    private void use(PassivationNode node) {
        if (sketchSettings != null) {
            sketch().use(node.id());
        }
    }

    /** Made when it is needed: shards come one after another, each with another limit. */
    private FrequencySketch sketch() {
        FrequencySketch present = sketch;
        if (present == null) {
            present = new FrequencySketch(Objects.requireNonNull(sketchSettings, "a sketch was asked for"), limit);
            sketch = present;
        }
        return present;
    }

    @Override
    public void touch(PassivationNode node) {
        use(node);
        placeOf(node).touch(node);
        climb(true);
    }

    private Replacement placeOf(PassivationNode node) {
        return node.inWindow ? recent : main;
    }

    private void climb(boolean wasActive) {
        double change = climbing == null ? 0 : climbing.access(wasActive);
        if (change != 0 && window != null) {
            proportion = Math.max(window.minimum(), Math.min(window.maximum(), proportion + change));
            divide();
            balance();
        }
    }

    private void divide() {
        int share = LeastRecentlyUsed.share(proportion, limit);
        windowLimit = window == null ? 0 : Math.max(1, share);
        mainLimit = limit - windowLimit;
    }

    /** No entity is passivated because the border between window and main area moved. */
    private void balance() {
        while (main.size() > mainLimit) {
            PassivationNode moved = Objects.requireNonNull(main.next(), "the main area is not empty");
            main.remove(moved);
            intoWindow(moved);
        }
        while (recent.size() > windowLimit) {
            PassivationNode moved = Objects.requireNonNull(recent.next(), "the window is not empty");
            recent.remove(moved);
            moved.inWindow = false;
            main.add(moved);
        }
        main.limit(mainLimit);
        recent.limit(windowLimit);
    }

    @Override
    public void remove(PassivationNode node) {
        placeOf(node).remove(node);
        node.inWindow = false;
    }

    @Override
    public void limit(int entities) {
        limit = entities;
        sketch = null;
        if (climbing != null) {
            climbing.limit(entities);
        }
        divide();
        evictAbove(recent, windowLimit);
        evictAbove(main, mainLimit);
        main.limit(mainLimit);
        recent.limit(windowLimit);
    }

    private void evictAbove(Replacement area, int most) {
        while (area.size() > most) {
            PassivationNode victim = Objects.requireNonNull(area.evict(), "an area of this size is not empty");
            victim.inWindow = false;
            victims.accept(victim);
        }
    }
}
