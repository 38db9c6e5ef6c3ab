package io.shardbus.transport.seal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealsTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final Buffer MESSAGE = Buffer.buffer("end of the reign");
    private static final String ADDRESS = "control.b";

    private final Seals sender = new Seals(secret("a secret of the cluster"), A, 1);
    private final Seals receiver = new Seals(secret("a secret of the cluster"), new NodeId("b"), 2);

    private static ClusterSecret secret(String text) {
        return ClusterSecret.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String refusal(Seals by, String address, Buffer sealed) {
        return String.valueOf(assertThrows(WireFormatException.class, () -> by.open(address, sealed))
                .getMessage());
    }

    @Test
    void whatWasSealedIsOpenedOnce() {
        Buffer sealed = sender.seal(B, ADDRESS, MESSAGE).bytes();
        assertTrue(Seals.isSealed(sealed));
        Seals.Opened opened = receiver.open(ADDRESS, sealed);
        assertEquals(MESSAGE, opened.message());
        assertEquals(A, opened.from());
        assertTrue(refusal(receiver, ADDRESS, sealed).contains("has come before"));
        assertEquals(
                MESSAGE,
                receiver.open(ADDRESS, sender.seal(B, ADDRESS, MESSAGE).bytes()).message(),
                "the same once more is another message");
    }

    @Test
    void addressesThatAreUsedOnceLeaveNothingBehind() {
        for (int i = 0; i < 1000; i++) {
            String address = "answer to " + i;
            Seals.Sealed sealed = sender.sealOnce(address, MESSAGE);
            assertEquals(MESSAGE, receiver.openOnce(address, sealed.bytes()).message());
        }
        assertEquals(0, sender.numbered());
    }

    @Test
    void nothingIsKeptOfANodeThatIsForgotten() {
        for (int i = 0; i < 1000; i++) {
            NodeId other = new NodeId("b" + i);
            Seals restarted = new Seals(secret("a secret of the cluster"), other, i);
            sender.seal(other, "control." + other, MESSAGE);
            sender.seal(other, "lane." + other, MESSAGE);
            receiver.open(ADDRESS, restarted.seal(B, ADDRESS, MESSAGE).bytes());
            sender.forget(other);
            receiver.forget(other);
        }
        assertEquals(0, sender.numbered());
        assertEquals(0, receiver.senders());
    }

    @Test
    void aForgottenNodeThatIsBackTakesWhatIsSentToIt() {
        for (int i = 0; i < 10; i++) {
            receiver.open(ADDRESS, sender.seal(B, ADDRESS, MESSAGE).bytes());
        }
        sender.forget(B);
        assertEquals(
                MESSAGE,
                receiver.open(ADDRESS, sender.seal(B, ADDRESS, MESSAGE).bytes()).message());
    }

    @Test
    void aQuestionIsTakenOnceThoughItsSenderIsForgotten() {
        Buffer question = sender.seal(B, "query.b", MESSAGE).bytes();
        assertEquals(MESSAGE, receiver.openQuestion("query.b", question).message());
        receiver.forget(A);
        assertThrows(WireFormatException.class, () -> receiver.openQuestion("query.b", question));
    }

    @Test
    void aMessageForOneAddressIsNoneForAnother() {
        Buffer sealed = sender.seal(B, ADDRESS, MESSAGE).bytes();
        assertTrue(refusal(receiver, "control.c", sealed).contains(Seals.OPTION));
        assertEquals(MESSAGE, receiver.open(ADDRESS, sealed).message(), "what was refused has not come");
    }

    @Test
    void aFingerprintTellsSecretsApartAndIsNoPartOfASeal() {
        String fingerprint = secret("a secret of the cluster").fingerprint();
        assertEquals(fingerprint, secret("a secret of the cluster").fingerprint());
        assertNotEquals(fingerprint, secret("a secret of another one").fingerprint());
        assertEquals(32, fingerprint.length());
        ClusterSecret same = secret("a secret of the cluster");
        String seal = HexFormat.of().formatHex(same.sign("", new byte[0], 0));
        assertFalse(seal.startsWith(fingerprint), "it is signed for its own purpose");
    }

    @Test
    void anotherSecretAndNoneAreRefusedAndTheOptionIsNamed() {
        Seals stranger = new Seals(secret("a secret of another one"), A, 1);
        assertTrue(refusal(receiver, ADDRESS, stranger.seal(B, ADDRESS, MESSAGE).bytes())
                .contains(Seals.OPTION));
        assertTrue(refusal(receiver, ADDRESS, MESSAGE).contains(Seals.OPTION));
        assertTrue(refusal(receiver, ADDRESS, Buffer.buffer()).contains(Seals.OPTION));
    }

    @Test
    void noBitCanBeChangedAndNoByteTakenAway() {
        Buffer sealed = sender.seal(B, ADDRESS, MESSAGE).bytes();
        for (int at = 0; at < sealed.length(); at++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                Buffer changed = sealed.copy().setByte(at, (byte) (sealed.getByte(at) ^ (1 << bit)));
                refusal(receiver, ADDRESS, changed);
            }
            refusal(receiver, ADDRESS, sealed.getBuffer(0, at));
        }
        assertEquals(MESSAGE, receiver.open(ADDRESS, sealed).message());
    }

    @Test
    void theNextLifeOfASenderCountsAnew() {
        receiver.open(ADDRESS, sender.seal(B, ADDRESS, MESSAGE).bytes());
        Seals restarted = new Seals(secret("a secret of the cluster"), A, 7);
        assertEquals(
                MESSAGE,
                receiver.open(ADDRESS, restarted.seal(B, ADDRESS, MESSAGE).bytes())
                        .message());
    }

    @Test
    void theFileMustHoldEnoughAndIsNotShown(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("secret");
        Files.writeString(file, "open sesame \n");
        String refusal =
                String.valueOf(assertThrows(IllegalArgumentException.class, () -> ClusterSecret.read(file.toString()))
                        .getMessage());
        assertTrue(refusal.contains("11 bytes"), refusal);
        assertFalse(refusal.contains("sesame"), refusal);
        Files.writeString(file, "a secret of the cluster\n");
        Seals read = new Seals(ClusterSecret.read(file.toString()), A, 3);
        assertEquals(
                MESSAGE,
                receiver.open(ADDRESS, read.seal(B, ADDRESS, MESSAGE).bytes()).message(),
                "the end of the line does not count");
        assertFalse(ClusterSecret.read(file.toString()).toString().contains("secret of"));
        Path missing = directory.resolve("missing");
        assertThrows(IllegalArgumentException.class, () -> ClusterSecret.read(missing.toString()));
    }
}
