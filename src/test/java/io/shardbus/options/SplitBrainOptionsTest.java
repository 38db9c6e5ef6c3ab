package io.shardbus.options;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SplitBrainOptionsTest {
    private static SplitBrainOptions of(String json) {
        return new SplitBrainOptions(new JsonObject(json.replace('\'', '"')));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'role':'core','tieBreak':'oldest'}",
                "{'strategy':'static-quorum','quorumSize':1000,'role':'core'}",
                "{'strategy':'down-all'}",
                "{'strategy':'keep-oldest','downIfAlone':false,'role':'core'}",
                "{'strategy':'lease-majority','arbiter':'a.B$C','leaseName':'x',"
                        + "'minorityDelayMs':0,'releaseAfterMs':1000}",
                "{'strategy':'com.example.Own'}",
                "{'strategy':'com.example.Own','arbiter':'com.example.Arbiter','minorityDelayMs':60000}"
            })
    void takesWhatFitsTogether(String json) {
        SplitBrainOptions options = of(json);
        assertDoesNotThrow(options::validate);
        assertEquals(options, new SplitBrainOptions(options));
        assertEquals(options, new SplitBrainOptions(options.toJson()));
        assertEquals(options.hashCode(), new SplitBrainOptions(options).hashCode());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"strategy":"keep-minority"} | 'splitBrain.strategy' = "keep-minority": must be one of keep-majority
            {"role":"a b"} | 'splitBrain.role' = "a b": must be empty or 1 to 64
            {"tieBreak":"coin"} | 'splitBrain.tieBreak' = "coin": must be one of none, lowest-address, oldest
            {"strategy":"static-quorum"} | 'splitBrain.quorumSize' = 0: must be a whole number in 1..1000
            {"strategy":"static-quorum","quorumSize":1001} | 'splitBrain.quorumSize' = 1001: must be a whole number in 1..1000
            {"strategy":"lease-majority"} | 'splitBrain.arbiter' = "": must be set with the strategy lease-majority
            {"strategy":"lease-majority","arbiter":"Mine"} | 'splitBrain.arbiter' = "Mine": must be the name of a class
            {"minorityDelayMs":60001} | 'splitBrain.minorityDelayMs' = 60001: must be a whole number in 0..60000
            {"releaseAfterMs":999} | 'splitBrain.releaseAfterMs' = 999: must be a whole number in 1000..3600000
            {"quorumSize":2} | 'splitBrain.quorumSize' = 2: must be left out with the strategy keep-majority
            {"downIfAlone":false} | 'splitBrain.downIfAlone' = false: must be left out with the strategy keep-majority
            {"strategy":"keep-oldest","tieBreak":"oldest"} | must be left out with the strategy keep-oldest
            {"strategy":"down-all","role":"core"} | must be left out with the strategy down-all
            {"strategy":"static-quorum","quorumSize":2,"arbiter":"a.B"} | must be left out with the strategy static-quorum
            {"strategy":"a.B","quorumSize":2} | must be left out with the strategy a.B
            """)
    void refusesWhatDoesNot(String json, String message) {
        var options = of(json);
        var refusal = assertThrows(IllegalArgumentException.class, options::validate);
        assertTrue(refusal.getMessage().contains(message), refusal.getMessage());
        var node = new ShardingOptions().setSplitBrain(options);
        assertThrows(IllegalArgumentException.class, node::validate);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'strategy':5}",
                "{'strategy':null}",
                "{'quorumSize':'2'}",
                "{'quorumSize':2.0}",
                "{'downIfAlone':'true'}",
                "{'minorityDelayMs':'2'}",
                "{'keepMajority':true}"
            })
    void refusesWrongTypesAndUnknownKeys(String json) {
        var refusal = assertThrows(IllegalArgumentException.class, () -> of(json));
        assertTrue(refusal.getMessage().contains("splitBrain."), refusal.getMessage());
    }

    @Test
    @DisplayName("LEASE-11 lease name: blank or absent is not set, given is kept; without one it"
            + " follows from the cluster's name")
    void leaseName() {
        assertEquals("prod-shardbus-split-brain", new SplitBrainOptions().effectiveLeaseName("prod"));
        assertEquals(
                "prod-shardbus-split-brain",
                new SplitBrainOptions().setLeaseName(" ").effectiveLeaseName("prod"));
        assertEquals("mine", new SplitBrainOptions().setLeaseName("mine").effectiveLeaseName("prod"));
        assertNotEquals(
                new SplitBrainOptions().effectiveLeaseName("prod"), new SplitBrainOptions().effectiveLeaseName("test"));
    }

    @Test
    void fingerprintSaysWhatMustBeTheSame() {
        assertEquals("keep-majority", new SplitBrainOptions().fingerprint());
        assertEquals(
                "static-quorum role=core quorumSize=2",
                of("{'strategy':'static-quorum','quorumSize':2,'role':'core'}").fingerprint());
        assertEquals("keep-majority", of("{'minorityDelayMs':1}").fingerprint());
        assertFalse(new SplitBrainOptions().isCustom());
        assertTrue(of("{'strategy':'a.B'}").isCustom());
    }

    @Test
    void optionsOfANodeKeepACopy() {
        var split = new SplitBrainOptions().setStrategy("down-all");
        var node = new ShardingOptions().setSplitBrain(split);
        split.setStrategy("keep-oldest");
        assertEquals("down-all", node.getSplitBrain().getStrategy());
        assertEquals("down-all", node.toJson().getJsonObject("splitBrain").getString("strategy"));
    }

    @Test
    void aSideHasItsAnswerFromTheArbiterInSoLongAtTheLatest() {
        assertEquals(4000, SplitBrainOptions.flappingMs(1000));
        assertEquals(15_000, SplitBrainOptions.flappingMs(20_000));
        SplitBrainOptions options = new SplitBrainOptions().setMinorityDelayMs(2500);
        assertEquals(4800 + 1000 + 4000 + 2500 + 5000, options.latestAnswerMs(4800, 1000));
    }
}
