package io.shardbus.integration;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.shardbus.runtime.control.CoordinatorVerticle;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;

/** The begins and ends of reigns of all nodes in this JVM, in their order, as the log tells operators. Close it. */
public final class ReignLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private static final Pattern BEGIN = Pattern.compile("term=(\\d+): coordinating.*");
    private static final Pattern END = Pattern.compile("term=(\\d+): no longer coordinating.*");

    private static final Pattern OPEN = Pattern.compile(".* term=(\\d+): shards may be assigned.*");
    private static final String LOGGERS = CoordinatorVerticle.class.getPackageName() + ".";

    private final Logger elections = (Logger) LoggerFactory.getLogger(LOGGERS + "ElectionRunner");
    private final Logger coordinators = (Logger) LoggerFactory.getLogger(LOGGERS + "CoordinatorCommandRunner");
    private final Level electionsBefore = elections.getLevel();
    private final Level coordinatorsBefore = coordinators.getLevel();
    private final Queue<String> events = new ConcurrentLinkedQueue<>();

    public ReignLog() {
        elections.setLevel(Level.INFO);
        coordinators.setLevel(Level.DEBUG);
        setContext(elections.getLoggerContext());
        start();
        elections.addAppender(this);
        coordinators.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        note("begin ", BEGIN, event);
        note("open ", OPEN, event);
        note("end ", END, event);
    }

    private void note(String what, Pattern pattern, ILoggingEvent event) {
        Matcher matcher = pattern.matcher(event.getFormattedMessage());
        if (matcher.matches()) {
            events.add(what + matcher.group(1));
        }
    }

    /** All begins, openings and ends so far. */
    public List<String> events() {
        return List.copyOf(events);
    }

    public int begins() {
        return (int) events.stream().filter(event -> event.startsWith("begin")).count();
    }

    /** Where one reign began before the last had ended; empty when never. */
    public List<String> overlaps() {
        List<String> found = new ArrayList<>();
        String reigning = null;
        for (String event : events) {
            String term = event.substring(event.indexOf(' ') + 1);
            if (event.startsWith("begin")) {
                if (reigning != null) {
                    found.add("term " + term + " began while term " + reigning + " went on");
                }
                reigning = term;
            } else if (event.startsWith("end") && term.equals(reigning)) {
                reigning = null;
            }
        }
        return found;
    }

    /**
     * Where a reign gave shards away before each earlier one had ended; empty when never. A claim may come before that:
     * who is cut off learns of it later than the others, or by the end of its lease only, for which the claimant waits.
     */
    public List<String> openedTooEarly() {
        List<String> found = new ArrayList<>();
        NavigableSet<Long> going = new TreeSet<>();
        NavigableSet<Long> opened = new TreeSet<>();
        for (String event : events) {
            long term = Long.parseLong(event.substring(event.indexOf(' ') + 1));
            if (event.startsWith("begin")) {
                going.add(term);
            } else if (event.startsWith("end")) {
                going.remove(term);
            } else if (opened.add(term) && (!going.headSet(term).isEmpty() || opened.last() > term)) {
                found.add("term " + term + " gave shards away while " + going + " went on, after " + opened);
            }
        }
        return found;
    }

    boolean hasOpenings() {
        return events.stream().anyMatch(event -> event.startsWith("open"));
    }

    @Override
    public void close() {
        elections.detachAppender(this);
        coordinators.detachAppender(this);
        elections.setLevel(electionsBefore);
        coordinators.setLevel(coordinatorsBefore);
    }
}
