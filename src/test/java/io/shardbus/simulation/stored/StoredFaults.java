package io.shardbus.simulation.stored;

import java.util.Random;

/** What goes wrong in a run, one after the other. */
final class StoredFaults {
    private static final int LONGEST_PAUSE = 1_200;

    private final StoredWorld world;
    private final Random dice;

    StoredFaults(StoredWorld world, Random dice) {
        this.world = world;
        this.dice = dice;
    }

    void begin(long until) {
        world.after(1 + dice.nextInt(LONGEST_PAUSE), () -> {
            if (world.now() < until) {
                one();
                begin(until);
            }
        });
    }

    private void one() {
        world.followers().filter(present -> dice.nextInt(5) == 0).ifPresent(Followers::move);
        world.alarms().filter(present -> dice.nextInt(5) == 0).ifPresent(Alarms::move);
        int number = dice.nextInt(world.processes());
        int shard = dice.nextInt(world.shards());
        switch (dice.nextInt(10)) {
            case 0, 1 -> handOff(shard);
            case 2 -> seize(shard, dice.nextInt(world.processes()), "seizes");
            case 3 -> crash(number);
            case 4, 5 -> freeze(number);
            case 6 -> loseLease(number);
            case 7, 8 -> breakAll();
            default -> down();
        }
    }

    /** A planned move. */
    private void handOff(int shard) {
        StoredProcess home = world.process(world.home(shard).process());
        world.turn(home.id, "hands off", shard);
        home.handOff(shard, world.nextToken());
    }

    /** A home that its former one does not hear of. */
    private void seize(int shard, int number, String why) {
        if (!world.process(number).isDead()) {
            world.turn(world.process(number).id, why, shard);
            world.give(shard, number);
        }
    }

    /** The shards of a process get other homes, each a while later. */
    private void inherit(int number) {
        for (int shard = 0; shard < world.shards(); shard++) {
            int of = shard;
            if (world.home(shard).process() == number) {
                int heir = (number + 1 + dice.nextInt(world.processes() - 1)) % world.processes();
                world.after(dice.nextInt(500), () -> {
                    if (world.home(of).process() == number) {
                        seize(of, heir, "inherits");
                    }
                });
            }
        }
    }

    private void crash(int number) {
        StoredProcess process = world.process(number);
        if (process.isDead()) {
            return;
        }
        world.turn(process.id, "crashes", "");
        process.crash();
        world.followers().ifPresent(present -> present.inherit(number));
        world.alarms().ifPresent(present -> present.inherit(number));
        world.store().loseConnectionsOf(process.surroundings().context());
        inherit(number);
        world.after(200 + dice.nextInt(2_000), () -> world.replace(number));
    }

    private void freeze(int number) {
        StoredProcess process = world.process(number);
        if (!process.isUp()) {
            return;
        }
        world.turn(process.id, "freezes", "");
        process.freeze();
        if (dice.nextInt(4) > 0) {
            world.followers().ifPresent(present -> present.inherit(number));
            world.alarms().ifPresent(present -> present.inherit(number));
            inherit(number);
        }
        world.after(100 + dice.nextInt(dice.nextInt(3) == 0 ? 7_000 : 700), () -> thaw(process));
    }

    private void thaw(StoredProcess process) {
        world.turn(process.id, "thaws", "");
        process.thaw();
    }

    private void loseLease(int number) {
        StoredProcess process = world.process(number);
        if (process.isUp()) {
            world.turn(process.id, "loses its lease", "");
            process.loseLease();
            inherit(number);
        }
    }

    private void breakAll() {
        world.turn("store", "breaks", "");
        world.store().breakAll();
    }

    private void down() {
        world.turn("store", "is down", "");
        world.store().weather().down(true);
        world.after(50 + dice.nextInt(dice.nextInt(3) == 0 ? 8_000 : 800), () -> {
            world.turn("store", "is up", "");
            world.store().weather().down(false);
        });
    }

    /** All works again, and each shard has a home. */
    void end() {
        world.turn("world", "calms down", "");
        world.store().weather().calm();
        for (int number = 0; number < world.processes(); number++) {
            if (world.process(number).isDead()) {
                world.replace(number);
            }
            world.process(number).thaw();
        }
        for (int shard = 0; shard < world.shards(); shard++) {
            seize(shard, dice.nextInt(world.processes()), "is given");
        }
        world.followers().ifPresent(Followers::end);
        world.alarms().ifPresent(Alarms::end);
    }
}
