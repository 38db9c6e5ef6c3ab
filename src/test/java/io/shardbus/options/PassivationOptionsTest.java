package io.shardbus.options;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PassivationOptionsTest {
    private static final long MINUTE = 60_000;

    private static PassivationOptions of(String json) {
        JsonObject all = new JsonObject().put("passivation", new JsonObject(json.replace('\'', '"')));
        PassivationOptions options = new ShardingOptions(all).getPassivation();
        options.validate();
        return options;
    }

    private static PassivationOptions resolved(String json) {
        return of(json).resolved();
    }

    /** The same from JSON and from code; the resolved options differ from the defaults in these keys and no others. */
    private static void assertResolved(String expected, PassivationOptions... given) {
        JsonObject changes = new JsonObject(expected.replace('\'', '"'));
        JsonObject all = new PassivationOptions().toJson();
        JsonObject admission =
                all.getJsonObject("admission").mergeIn(changes.getJsonObject("admission", new JsonObject()));
        all.mergeIn(changes).put("admission", admission);
        for (PassivationOptions options : given) {
            options.validate();
            assertEquals(new PassivationOptions(all), options.resolved());
            assertEquals(options.resolved(), options.resolved().resolved());
        }
    }

    private static PassivationOptions code(String strategy) {
        return new PassivationOptions().setStrategy(strategy);
    }

    @Test
    @DisplayName("PASS-35 nothing configured: idle after 120 s, checked each 60 s")
    void nothingConfigured() {
        assertResolved(
                "{'idleTimeoutMs':120000,'idleIntervalMs':60000}",
                new PassivationOptions(),
                new ShardingOptions().getPassivation(),
                of("{}"));
    }

    @Test
    @DisplayName("PASS-36 an idle timeout is checked at half of it; an interval that is given stays")
    void idleTimeout() {
        assertResolved("{'idleTimeoutMs':180000,'idleIntervalMs':90000}", of("{'idleTimeoutMs':180000}"));
        assertResolved(
                "{'idleTimeoutMs':42000,'idleIntervalMs':21000}", new PassivationOptions().setIdleTimeoutMs(42_000));
        assertResolved(
                "{'idleTimeoutMs':180000,'idleIntervalMs':60000}",
                of("{'idleTimeoutMs':180000,'idleIntervalMs':60000}"));
        assertResolved(
                "{'idleTimeoutMs':42000,'idleIntervalMs':42}",
                new PassivationOptions().setIdleTimeoutMs(42_000).setIdleIntervalMs(42));
    }

    private static String composite(String changes) {
        return "{" + changes + "'strategy':'composite','levels':2,'proportions':[0.2,0.8],"
                + "'admission':{'window':'least-recently-used','filter':'frequency-sketch',"
                + "'optimizer':'hill-climbing'}}";
    }

    @Test
    @DisplayName("PASS-37 the composite: its numbers, and that a limit or an idle timeout changes nothing else")
    void theComposite() {
        String plain = "'idleTimeoutMs':0,'idleIntervalMs':0,";
        assertResolved(composite(plain), of("{'strategy':'composite'}"), code("composite"));
        PassivationOptions all = code("composite").resolved();
        AdmissionOptions admission = all.getAdmission();
        assertEquals(100_000, all.getActiveEntityLimit());
        assertEquals(List.of(0.2, 0.8), all.getProportions());
        assertEquals(
                List.of(0.01, 0.01, 1.0),
                List.of(admission.getWindowProportion(), admission.getWindowMinimum(), admission.getWindowMaximum()));
        assertEquals(
                List.of(10.0, 0.0625, 0.05, 0.98),
                List.of(
                        admission.getAdjustMultiplier(),
                        admission.getInitialStep(),
                        admission.getRestartThreshold(),
                        admission.getStepDecay()));
        assertEquals(
                List.of(4, 4, 4),
                List.of(
                        admission.getSketchDepth(),
                        admission.getSketchCounterBits(),
                        admission.getSketchWidthMultiplier()));
        assertEquals(10.0, admission.getSketchResetMultiplier());
        assertResolved(
                composite("'activeEntityLimit':1000000," + plain),
                of("{'strategy':'composite','activeEntityLimit':1000000}"),
                code("composite").setActiveEntityLimit(1_000_000));
        assertResolved(
                composite("'idleTimeoutMs':1800000,'idleIntervalMs':900000,"),
                of("{'strategy':'composite','idleTimeoutMs':1800000}"),
                code("composite").setIdleTimeoutMs(30 * MINUTE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"least-recently-used", "most-recently-used", "least-frequently-used"})
    @DisplayName("PASS-38 plain limits: no segments, no aging, no idle timeout unless asked for")
    void plainLimits(String strategy) {
        String plain = "{'strategy':'" + strategy + "','levels':1,'activeEntityLimit':";
        assertResolved(
                plain + "1000000,'idleTimeoutMs':0,'idleIntervalMs':0}",
                of("{'strategy':'" + strategy + "','activeEntityLimit':1000000}"));
        assertResolved(
                plain + "42000,'idleTimeoutMs':0,'idleIntervalMs':0}",
                code(strategy).setActiveEntityLimit(42_000));
        assertResolved(
                plain + "1000000,'idleTimeoutMs':1800000,'idleIntervalMs':900000}",
                of("{'strategy':'" + strategy + "','activeEntityLimit':1000000,'idleTimeoutMs':1800000}"));
        assertResolved(
                plain + "42000,'idleTimeoutMs':2520000,'idleIntervalMs':1260000}",
                code(strategy).setActiveEntityLimit(42_000).setIdleTimeoutMs(42 * MINUTE));
    }

    @Test
    @DisplayName("PASS-38 aging on request")
    void agingOnRequest() {
        assertFalse(code("least-frequently-used").resolved().isAging());
        assertTrue(resolved("{'strategy':'least-frequently-used','aging':true}").isAging());
    }

    @Test
    @DisplayName("PASS-39 segments: 0.2 and 0.8 for two levels, equal ones for four, and those that are given")
    void segments() {
        assertEquals(
                List.of(0.2, 0.8),
                resolved("{'strategy':'least-recently-used','levels':2}").getProportions());
        assertEquals(
                List.of(0.25, 0.25, 0.25, 0.25),
                code("least-recently-used").setLevels(4).resolved().getProportions());
        assertEquals(
                List.of(0.4, 0.3, 0.2, 0.1),
                resolved("{'strategy':'least-recently-used','levels':4,'proportions':[0.4,0.3,0.2,0.1]}")
                        .getProportions());
    }

    @Test
    @DisplayName("PASS-40 admission: each part alone with its defaults, and all together")
    void admissionParts() {
        PassivationOptions window =
                resolved("{'strategy':'least-frequently-used','admission':{'window':'least-recently-used'}}");
        assertEquals(new AdmissionOptions().setWindow("least-recently-used"), window.getAdmission());
        assertEquals("none", window.getAdmission().getOptimizer());
        assertEquals("none", window.getAdmission().getFilter());
        assertEquals(0.01, window.getAdmission().getWindowProportion());

        AdmissionOptions larger = resolved("{'strategy':'least-frequently-used',"
                        + "'admission':{'window':'least-recently-used','windowProportion':0.1}}")
                .getAdmission();
        assertEquals(List.of(0.01, 1.0), List.of(larger.getWindowMinimum(), larger.getWindowMaximum()));

        AdmissionOptions climbing = new AdmissionOptions().setOptimizer("hill-climbing");
        PassivationOptions alone = code("least-recently-used").setAdmission(climbing);
        assertEquals(climbing, alone.resolved().getAdmission());
        assertEquals(0.0625, alone.resolved().getAdmission().getInitialStep());

        String all = "'levels':2,'admission':{'window':'least-recently-used','optimizer':'hill-climbing',"
                + "'filter':'frequency-sketch'}";
        assertResolved(
                "{'strategy':'least-recently-used','proportions':[0.2,0.8],'idleTimeoutMs':1800000,"
                        + "'idleIntervalMs':900000," + all + "}",
                of("{'strategy':'least-recently-used','idleTimeoutMs':1800000," + all + "}"));
    }

    @Test
    @DisplayName("PASS-41 all tuned: the same numbers from configuration and from code")
    void allTuned() {
        AdmissionOptions admission = new AdmissionOptions()
                .setWindow("least-recently-used")
                .setWindowProportion(0.1)
                .setWindowMinimum(0.05)
                .setWindowMaximum(0.5)
                .setOptimizer("hill-climbing")
                .setAdjustMultiplier(5)
                .setInitialStep(0.05)
                .setRestartThreshold(0.025)
                .setStepDecay(0.95)
                .setFilter("frequency-sketch")
                .setSketchDepth(3)
                .setSketchCounterBits(8)
                .setSketchWidthMultiplier(2)
                .setSketchResetMultiplier(50);
        PassivationOptions tuned = code("composite").setAdmission(admission);
        PassivationOptions read = of("{'strategy':'composite','admission':{'window':'least-recently-used',"
                + "'windowProportion':0.1,'windowMinimum':0.05,'windowMaximum':0.5,'optimizer':'hill-climbing',"
                + "'adjustMultiplier':5,'initialStep':0.05,'restartThreshold':0.025,'stepDecay':0.95,"
                + "'filter':'frequency-sketch','sketchDepth':3,'sketchCounterBits':8,'sketchWidthMultiplier':2,"
                + "'sketchResetMultiplier':50}}");
        assertEquals(tuned.resolved(), read.resolved());
        assertEquals(admission, read.resolved().getAdmission());
    }

    @Test
    @DisplayName("PASS-42 idle timeout 0, or switched off: no automatic passivation")
    void switchedOff() {
        assertEquals("none", resolved("{'idleTimeoutMs':0}").getStrategy());
        assertEquals("none", code("none").resolved().getStrategy());
        assertEquals(0, code("none").resolved().getIdleTimeoutMs());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"strategy":"fifo"} | 'passivation.strategy' = "fifo": must be one of none, idle, least-recently-used
            {"strategy":7} | 'passivation.strategy' = 7: must be one of none, idle
            {"limit":7} | unknown option 'passivation.limit'; there are [activeEntityLimit, admission,
            {"activeEntityLimit":5} | 'passivation.activeEntityLimit' = 5: must be left out with the strategy idle
            {"strategy":"composite","activeEntityLimit":0} | must be a whole number in 1..10000000
            {"strategy":"composite","activeEntityLimit":4294967297} | must be a whole number in 1..10000000
            {"strategy":"composite","activeEntityLimit":"5"} | must be a whole number in 1..10000000
            {"strategy":"none","idleTimeoutMs":5} | must be left out with the strategy none
            {"idleIntervalMs":0} | 'passivation.idleIntervalMs' = 0: must be -1 or above 0
            {"strategy":"most-recently-used","levels":2} | must be left out with the strategy most-recently-used
            {"strategy":"least-recently-used","aging":true} | must be left out with the strategy least-recently-used
            {"strategy":"least-recently-used","aging":1} | 'passivation.aging' = 1: must be true or false
            {"strategy":"least-recently-used","levels":2,"proportions":[0.2,0.7]} | numbers above 0 whose sum is 1
            {"strategy":"least-recently-used","levels":3,"proportions":[0.2,0.8]} | as many as there are levels, 3
            {"strategy":"least-recently-used","proportions":"all"} | must be a list of numbers
            {"strategy":"composite","admission":7} | 'passivation.admission' = 7: must be an object
            {"strategy":"composite","admission":{"windw":1}} | unknown option 'passivation.admission.windw'
            {"strategy":"composite","admission":{"windowProportion":2}} | must be a number in 0.0001..1
            {"strategy":"composite","admission":{"windowProportion":0.5,"windowMaximum":0.4}} | to windowMaximum, 0.4
            {"strategy":"composite","admission":{"sketchCounterBits":6}} | must be 4 or 8
            {"admission":{"window":"least-recently-used"}} | must be left out with the strategy idle
            """)
    void refusesWhatDoesNotFit(String json, String message) {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> of(json));
        assertTrue(String.valueOf(refusal.getMessage()).contains(message), refusal.getMessage());
    }

    @Test
    void equalsByValue() {
        PassivationOptions options = of("{'strategy':'composite','admission':{'sketchDepth':3}}");
        assertDoesNotThrow(options::validate);
        assertEquals(options, new PassivationOptions(options));
        assertEquals(options.hashCode(), new PassivationOptions(options).hashCode());
        assertNotEquals(options, new PassivationOptions());
        assertEquals(options.getAdmission().hashCode(), new AdmissionOptions(options.getAdmission()).hashCode());
        assertTrue(options.toString().contains("composite")
                && options.getAdmission().toString().contains("3"));
        assertTrue(options.resolved().getAdmission().isOn());
    }
}
