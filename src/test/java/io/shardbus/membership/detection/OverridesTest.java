package io.shardbus.membership.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.LogLines;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.List;
import org.jgroups.protocols.TransferQueueBundler;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OverridesTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            classes = {
                HeartbeatWatch.class,
                MulticastCredits.class,
                PeerSearch.class,
                QuietBundler.class,
                SocketWatch.class,
                SuspectCheck.class,
                UnicastCredits.class,
                WatchServer.class
            })
    void allAreThereInThisRelease(Class<?> type) {
        assertEquals(List.of(), Overrides.missing(type, method -> true));
        assertTrue(
                List.of(type.getDeclaredMethods()).stream().anyMatch(method -> !method.isSynthetic()),
                type + " overrides something");
    }

    /** As JGroups 5.5.3 and later: a result of another type. */
    @Test
    @DisplayName("a protocol whose override overrides nothing in the loaded JGroups does not come"
            + " into being, and says which")
    void protocolIsRefused() throws Exception {
        var release = OtherRelease.with(directory, VERIFY_SUSPECT2.class.getName(), """
                package org.jgroups.protocols;

                public class VERIFY_SUSPECT2 extends org.jgroups.stack.Protocol implements Runnable {
                    protected long timeout;
                    protected boolean running;
                    protected void addSuspects(java.util.Collection<org.jgroups.Address> members) {}
                    protected boolean removeSuspect(org.jgroups.Address member) { return false; }
                    public String getSuspects() { return ""; }
                    public void run() {}
                }
                """);
        var constructor = release.loadClass(SuspectCheck.class.getName()).getConstructor();
        var refusal = assertThrows(InvocationTargetException.class, constructor::newInstance)
                .getCause();
        assertInstanceOf(IllegalStateException.class, refusal);
        assertTrue(
                refusal.getMessage().startsWith("SuspectCheck.addSuspects(Collection) overrides nothing in JGroups 5."),
                refusal.getMessage());
    }

    @Test
    @DisplayName("a replaced sender that overrides nothing is named, and the node starts")
    void senderIsNamed() throws Exception {
        var release = OtherRelease.with(directory, TransferQueueBundler.class.getName(), """
                package org.jgroups.protocols;

                public class TransferQueueBundler {
                    public void stop() {}
                }
                """);
        try (var lines = new LogLines(Overrides.class.getName())) {
            release.loadClass(QuietBundler.class.getName()).getConstructor().newInstance();
            var named = lines.with("QuietBundler.addAndSendIfSizeExceeded(Message) overrides nothing");
            assertEquals(1, named.size());
            assertTrue(named.get(0).startsWith("WARN"), named.get(0));
        }
    }

    @Test
    void whatIsPrivateOrTakesAnotherTypeIsNotOverridden() {
        assertEquals(List.of("Child.hidden()", "Child.taking(int)"), Overrides.missing(Child.class, method -> true));
        assertEquals(
                List.of("Child.hidden()"),
                Overrides.missing(Child.class, method -> method.getName().equals("hidden")));
    }

    @SuppressWarnings("unused")
    private static class Parent {
        private void hidden() {}

        protected void taking(long number) {}

        protected Number narrowed() {
            return 1L;
        }
    }

    @SuppressWarnings("unused")
    private static final class Child extends Parent {
        void hidden() {}

        void taking(int number) {}

        @Override
        protected Long narrowed() {
            return 2L;
        }
    }
}
