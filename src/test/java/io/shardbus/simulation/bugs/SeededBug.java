package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.ArrayList;
import java.util.List;

/** A mistake that somebody might have made in the core: what the source would say then, and which runs must notice. */
final class SeededBug {
    /** One place of the source, and what it says instead. The place must be there exactly once. */
    record Edit(String file, String text, String instead) {}

    private static final int SEEDS = 40;
    /** How often a bug that is as easily caught as was measured may escape its seeds. */
    private static final double ESCAPES = 0.001;

    private final String name;
    private final String rule;
    private final Family family;
    private final int first;
    private final int caught;
    private final int seeds;
    private final List<Edit> edits = new ArrayList<>();

    private SeededBug(String name, String rule, Family family, int first, int caught, int seeds) {
        this.name = name;
        this.rule = rule;
        this.family = family;
        this.first = first;
        this.caught = caught;
        this.seeds = seeds;
    }

    /**
     * @param rule the number of the rule that it breaks, or what it is about
     * @param first the first seed of the family that caught it when it was measured
     * @param caught how many of 40 seeds did
     */
    static SeededBug of(String name, String rule, Family family, int first, int caught) {
        return new SeededBug(name, rule, family, first, caught, SEEDS);
    }

    /** One that few seeds catch: how many of so many. */
    static SeededBug rare(String name, String rule, Family family, int first, int caught, int seeds) {
        return new SeededBug(name, rule, family, first, caught, seeds);
    }

    /** One that none of the seeds that were tried has caught. */
    static SeededBug uncaught(String name, String rule, Family family) {
        return new SeededBug(name, rule, family, 0, 0, SEEDS);
    }

    SeededBug in(String file, String text, String instead) {
        edits.add(new Edit(file, text, instead));
        return this;
    }

    String name() {
        return name;
    }

    String rule() {
        return rule;
    }

    Family family() {
        return family;
    }

    boolean isCaught() {
        return caught > 0;
    }

    /** How many seeds it is measured with. */
    int seeds() {
        return seeds;
    }

    /**
     * It must be caught by one of so many seeds: three times as many as it took, and so many that it escapes one build
     * in a thousand. Any change of the core makes other runs of the same seeds.
     */
    int within() {
        double rate = caught / (seeds + 1.0);
        return Math.max(3 * first, (int) Math.ceil(Math.log(ESCAPES) / Math.log(1 - rate)));
    }

    /** Its row in docs/internals/simulation.md, as far as it is known before it is measured anew. */
    String row() {
        return row(first, caught);
    }

    /** Its row, with what was measured. */
    String row(int firstSeed, int caughtBy) {
        return "| %s | %s | %s | %d | %d | %d of %d |"
                .formatted(rule, name, family, within(), firstSeed, caughtBy, seeds);
    }

    List<Edit> edits() {
        return edits;
    }

    @Override
    public String toString() {
        return name;
    }
}
