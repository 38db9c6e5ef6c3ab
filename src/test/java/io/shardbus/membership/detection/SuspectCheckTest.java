package io.shardbus.membership.detection;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.Protocol;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SuspectCheckTest {
    private static final long TIMEOUT_MS = 500;

    /** Two clocks, in milliseconds. */
    private static final long CLOCK_MS = 2;

    private final Address first = UUID.randomUUID();
    private final Address second = UUID.randomUUID();
    private final Map<Address, Long> excluded = new ConcurrentHashMap<>();
    private final CountDownLatch bothExcluded = new CountDownLatch(2);
    private final VERIFY_SUSPECT2 check = new SuspectCheck().setTimeout(TIMEOUT_MS);

    @AfterEach
    void stop() {
        check.stop();
        check.destroy();
    }

    @Test
    @DisplayName("a time of day that is set back keeps no dead member in the view")
    void theTimeOfDayDoesNotCount() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(LockSupport.class, "parkUntil", long.class)
                .check(new ClassFileImporter().importClasses(SuspectCheck.class));
    }

    @Test
    @DisplayName("who is suspected while another one is being asked has as long to answer")
    void wholeTimeForEach() throws Exception {
        check.setDownProtocol(new Protocol() {
            @Override
            public Object down(Message question) {
                return "lost";
            }
        });
        check.setUpProtocol(new Protocol() {
            @Override
            public Object up(Event event) {
                event.<Collection<Address>>arg().forEach(member -> excluded.putIfAbsent(member, System.nanoTime()));
                event.<Collection<Address>>arg().forEach(member -> bothExcluded.countDown());
                return event;
            }
        });
        check.init();

        check.up(new Event(Event.SUSPECT, List.of(first)));
        assertFalse(
                bothExcluded.await(TIMEOUT_MS * 3 / 4, TimeUnit.MILLISECONDS), "the second one is not suspected yet");
        long asked = System.nanoTime();
        check.up(new Event(Event.SUSPECT, List.of(second)));

        assertTrue(bothExcluded.await(10, TimeUnit.SECONDS));
        long given = TimeUnit.NANOSECONDS.toMillis(excluded.get(second) - asked);
        assertTrue(given >= TIMEOUT_MS - CLOCK_MS, "given " + given + " ms to answer");
    }
}
