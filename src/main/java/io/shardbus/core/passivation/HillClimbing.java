package io.shardbus.core.passivation;

import io.shardbus.core.passivation.PassivationSettings.Climbing;

/**
 * Looks for the share of the window with which most messages find their entity active: goes on in the same direction
 * while that does not get worse, in smaller and smaller steps, and begins anew when much has changed.
 */
final class HillClimbing {
    private final Climbing settings;
    private double sample = Double.MAX_VALUE;
    private int accesses;
    private int active;
    private double formerRate;
    private double nextStep;

    HillClimbing(Climbing settings) {
        this.settings = settings;
        nextStep = -settings.initialStep();
    }

    /** Sets the limit of active entities; a sample is a multiple of it. */
    void limit(int entities) {
        sample = Math.max(1, settings.adjustMultiplier() * entities);
        accesses = 0;
        active = 0;
    }

    /** A message came; by how much the window's share changes now, mostly 0. */
    double access(boolean wasActive) {
        accesses++;
        active += wasActive ? 1 : 0;
        return accesses < sample ? 0 : adjust();
    }

    private double adjust() {
        double rate = (double) active / accesses;
        double change = rate - formerRate;
        formerRate = rate;
        accesses = 0;
        active = 0;
        double step = change >= 0 ? nextStep : -nextStep;
        boolean restart = Math.abs(change) >= settings.restartThreshold();
        nextStep = restart ? Math.copySign(settings.initialStep(), step) : step * settings.stepDecay();
        return step;
    }
}
