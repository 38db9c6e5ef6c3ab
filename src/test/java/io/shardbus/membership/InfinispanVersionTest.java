package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.infinispan.commons.util.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InfinispanVersionTest {
    @Test
    void ofThisBuildIsGood() {
        assertEquals(Optional.empty(), InfinispanVersion.complaint(Version.getVersion()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"14.0.25.Final", "14.0.27.Final", "14.0.9-SNAPSHOT"})
    void namesWhatToSet(String version) {
        var complaint = InfinispanVersion.complaint(version).orElseThrow();
        assertTrue(complaint.contains(version) && complaint.contains("14.0.29.Final"), complaint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"14.0.28.Final", "14.0.35.Final", "15.0.1.Final", "15.2.0.Final", "unknown"})
    void saysNothingOfOthers(String version) {
        assertTrue(InfinispanVersion.complaint(version).isEmpty());
    }

    /** Version, Java, and the system property java.security.manager, empty for none. */
    @ParameterizedTest
    @CsvSource({
        "14.0.29.Final, 17, '', true",
        "14.0.29.Final, 21, '', true",
        "14.0.29.Final, 23, allow, true",
        "14.0.29.Final, 23, '', false",
        "14.0.29.Final, 24, allow, false",
        "14.0.29.Final, 25, '', false",
        "15.2.6.Final, 25, '', true",
        "16.0.7, 25, '', true"
    })
    void isRefusedBeforeItJoinsWhereItCannotRun(String version, int java, String securityManager, boolean runs) {
        Optional<String> refusal = InfinispanVersion.refusal(version, java, securityManager);
        assertEquals(runs, refusal.isEmpty());
        refusal.ifPresent(text -> assertTrue(text.contains("cannot run on Java " + java), text));
    }
}
