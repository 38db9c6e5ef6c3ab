package io.shardbus.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What is done to the cluster in a run: faults, and bursts of messages. Each has chances of its own, so that one can be
 * left out and the others stay what they are.
 */
public final class Schedule {
    /** A fault at a moment. */
    public record Step(int number, long at, Fault fault, long dice) {
        @Override
        public String toString() {
            return "f" + number + " at " + at + ": " + fault;
        }
    }

    /** Some messages of one client at a moment. */
    public record Burst(int number, long at, long dice) {}

    private final List<Step> steps;
    private final List<Burst> bursts;

    private Schedule(List<Step> steps, List<Burst> bursts) {
        this.steps = List.copyOf(steps);
        this.bursts = List.copyOf(bursts);
    }

    /** The whole schedule of a seed, or the part of it that the options keep. */
    public static Schedule of(SimulationOptions options) {
        SplittableRandom random = new SplittableRandom(options.seed * 0x9E3779B97F4A7C15L + 1);
        List<Step> steps = new ArrayList<>();
        List<Fault> possible = List.copyOf(options.faults);
        long start = options.loadFrom();
        for (long at = start; !possible.isEmpty(); ) {
            at += random.nextInt((int) (2 * options.faultPause));
            if (at >= options.duration) {
                break;
            }
            Fault fault = possible.get(random.nextInt(possible.size()));
            steps.add(new Step(steps.size(), at, fault, random.nextLong()));
        }
        List<Burst> bursts = new ArrayList<>();
        int longest = (int) (2 * options.sendPause / (1 + options.nodes) + 2);
        for (long at = start; at < options.duration; at += 1 + random.nextInt(longest)) {
            bursts.add(new Burst(bursts.size(), at, random.nextLong()));
        }
        return new Schedule(steps, bursts).kept(System.getProperty("shardbus.simulation.keep", ""));
    }

    public List<Step> steps() {
        return steps;
    }

    public List<Burst> bursts() {
        return bursts;
    }

    public Schedule withSteps(List<Step> others) {
        return new Schedule(others, bursts);
    }

    public Schedule withBursts(List<Burst> others) {
        return new Schedule(steps, others);
    }

    /** Only the faults and bursts that the text names, as {@link #toString} does; all if it names none. */
    private Schedule kept(String text) {
        if (text.isEmpty()) {
            return this;
        }
        TreeSet<String> names = new TreeSet<>(List.of(text.split(",")));
        return new Schedule(
                steps.stream()
                        .filter(step -> names.contains("f" + step.number()))
                        .toList(),
                bursts.stream()
                        .filter(burst -> names.contains("b" + burst.number()))
                        .toList());
    }

    /** The names of what is left of a schedule, for a replay. */
    @Override
    public String toString() {
        List<String> names = new ArrayList<>();
        steps.forEach(step -> names.add("f" + step.number()));
        bursts.forEach(burst -> names.add("b" + burst.number()));
        return names.stream().collect(Collectors.joining(","));
    }
}
