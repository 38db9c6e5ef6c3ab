package io.shardbus.simulation.bugs;

import io.shardbus.simulation.seeds.Family;
import java.util.ArrayList;
import java.util.List;

/** A mistake that somebody might have made in the core: what the source would say then, and which runs must notice. */
final class SeededBug {
    /** One place of the source, and what it says instead. The place must be there exactly once. */
    record Edit(String file, String text, String instead) {}

    private final String name;
    private final String rule;
    private final Family family;
    private final int within;
    private final List<Edit> edits = new ArrayList<>();

    private SeededBug(String name, String rule, Family family, int within) {
        this.name = name;
        this.rule = rule;
        this.family = family;
        this.within = within;
    }

    /**
     * @param rule the number of the rule that it breaks
     * @param within it must be caught by one of so many seeds of the family
     */
    static SeededBug of(String name, String rule, Family family, int within) {
        return new SeededBug(name, rule, family, within);
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

    int within() {
        return within;
    }

    List<Edit> edits() {
        return edits;
    }

    @Override
    public String toString() {
        return name;
    }
}
