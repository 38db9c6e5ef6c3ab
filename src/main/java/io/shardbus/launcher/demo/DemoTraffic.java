package io.shardbus.launcher.demo;

import io.shardbus.Ask;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Replays the flight log, over and over, from all nodes by turns. All of it runs on one context. */
final class DemoTraffic {
    private static final long EVERY_MS = 10;
    private static final int FLIGHTS_AT_ONCE = 20;

    private final FlightLog log;
    private final List<DemoNode> senders = new ArrayList<>();
    private final Map<String, Integer> underWay = new HashMap<>();
    private final Map<String, Integer> failures = new HashMap<>();
    private AirportTotals sent = AirportTotals.NONE;
    private long next;
    private Runnable stop = () -> {};

    DemoTraffic(FlightLog log) {
        this.log = log;
    }

    void start(Vertx vertx) {
        long timer = vertx.setPeriodic(EVERY_MS, tick -> {
            for (int i = 0; i < FLIGHTS_AT_ONCE; i++) {
                send();
            }
        });
        stop = () -> vertx.cancelTimer(timer);
    }

    void sendFrom(DemoNode node) {
        senders.add(node);
    }

    /** Sends no more from a node; completes when all that it sent was answered. */
    Future<Void> stopSendingFrom(DemoNode node) {
        senders.remove(node);
        Promise<Void> done = Promise.promise();
        poll(node, done);
        return done.future();
    }

    /** Ends; completes when everything was answered. */
    Future<Void> end() {
        stop.run();
        return Future.join(
                        List.copyOf(senders).stream().map(this::stopSendingFrom).toList())
                .mapEmpty();
    }

    private void poll(DemoNode node, Promise<Void> done) {
        if (underWay.getOrDefault(node.name(), 0) == 0) {
            done.complete();
        } else {
            Vertx.currentContext().owner().setTimer(EVERY_MS, tick -> poll(node, done));
        }
    }

    private void send() {
        var flight = log.flights().get((int) (next % log.flights().size()));
        var node = senders.get((int) (next++ % senders.size()));
        sent = sent.departed(flight.miles()).arrived(flight.minutesLate());
        ask(node, flight.from(), new AirportMessage.Departed(flight.miles()));
        ask(node, flight.to(), new AirportMessage.Arrived(flight.minutesLate()));
    }

    private void ask(DemoNode node, String airport, Ask<Long> message) {
        underWay.merge(node.name(), 1, Integer::sum);
        node.airports().entityRef(airport).ask(message).onComplete(answer -> {
            underWay.merge(node.name(), -1, Integer::sum);
            if (answer.failed()) {
                failures.merge(String.valueOf(answer.cause().getMessage()), 1, Integer::sum);
            }
        });
    }

    /** Totals that all airports together must show in the end. */
    AirportTotals sent() {
        return sent;
    }

    /** Reasons of failed messages, with their numbers. */
    Map<String, Integer> failures() {
        return failures;
    }
}
