package io.shardbus.simulation;

import java.util.SplittableRandom;

/**
 * An entity type of the simulated cluster.
 *
 * @param mark the letter with which the names of its entities begin
 * @param minimumMembers hosting regions that must be there before its first shard has a home
 * @param hosts how many of ten nodes host it
 * @param proxies how many of ten nodes only send to it
 */
record SimType(String name, char mark, int shards, int entities, int minimumMembers, int hosts, int proxies) {
    /** What a node has of a type. */
    enum Part {
        HOST,
        PROXY,
        NONE
    }

    /** The type that every run has, and every node hosts. */
    static SimType main(SimulationOptions options) {
        return new SimType(Simulation.TYPE, 'e', options.shards, options.entities, options.minimumMembers, 10, 0);
    }

    boolean isMain() {
        return name.equals(Simulation.TYPE);
    }

    String entity(int number) {
        return mark + Integer.toString(number);
    }

    int shardOf(String entity) {
        return Integer.parseInt(entity.substring(1)) % shards;
    }

    /** What a node has of it when it starts. */
    Part draw(SplittableRandom dice) {
        if (hosts == 10) {
            return Part.HOST;
        }
        int draw = dice.nextInt(10);
        return draw < hosts ? Part.HOST : draw < hosts + proxies ? Part.PROXY : Part.NONE;
    }
}
