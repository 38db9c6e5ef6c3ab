package io.shardbus.core.allocation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;

/** A range of neighbouring slices with one home, both ends included. */
record SliceRun(int first, int last) {
    /**
     * The slices to give away first: the shortest runs before the longer ones, and of each run both ends in turn; those
     * that rest are passed over.
     */
    static Set<Integer> outermost(SortedSet<Integer> slices, Set<Integer> resting, int number) {
        Set<Integer> taken = new LinkedHashSet<>();
        List<SliceRun> runs = runsOf(slices);
        runs.sort(Comparator.comparingInt(SliceRun::length));
        runs.forEach(run -> run.takeEnds(taken, resting, number));
        return taken;
    }

    /** The runs a set of slices consists of, ascending. */
    static List<SliceRun> runsOf(SortedSet<Integer> slices) {
        List<SliceRun> runs = new ArrayList<>();
        for (int slice : slices) {
            int end = runs.size() - 1;
            if (end >= 0 && runs.get(end).last() == slice - 1) {
                runs.set(end, new SliceRun(runs.get(end).first(), slice));
            } else {
                runs.add(new SliceRun(slice, slice));
            }
        }
        return runs;
    }

    private int length() {
        return last - first + 1;
    }

    private void takeEnds(Set<Integer> taken, Set<Integer> resting, int number) {
        for (int i = 0; i < length() && taken.size() < number; i++) {
            int slice = i % 2 == 0 ? first + i / 2 : last - i / 2;
            if (!resting.contains(slice)) {
                taken.add(slice);
            }
        }
    }
}
