package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.infinispan.commons.util.Version;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
}
