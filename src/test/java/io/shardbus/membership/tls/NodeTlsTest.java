package io.shardbus.membership.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.TestAuthority;
import io.shardbus.options.TlsOptions;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeTlsTest {
    private final TestAuthority authority = new TestAuthority("test");
    private final TestAuthority other = new TestAuthority("other");

    @TempDir
    private Path directory;

    private TlsOptions node() {
        return authority.node(directory, "node");
    }

    @Test
    @DisplayName("a file that does not exist is named with its option")
    void missingFile() {
        assertRefused(node().setKey(directory.resolve("no.pem").toString()), "tls.key", "no.pem");
        assertRefused(node().setTrust(""), "tls.trust", "PEM file");
    }

    @Test
    @DisplayName("a certificate that ran out, or is not valid yet, is refused with its times")
    void certificateOfAnotherDay() {
        var options = node();
        authority.issue(options, "node", Instant.now().minus(Duration.ofDays(2)));
        assertRefused(options, "tls.certificate", "CN=node", "valid from", "not now");
        authority.issue(options, "node", Instant.now().plus(Duration.ofDays(2)));
        assertRefused(options, "tls.certificate", "CN=node", "valid from", "not now");
    }

    @Test
    @DisplayName("a key that does not fit the certificate is refused, and not quoted")
    void keyOfAnother() throws IOException {
        var options = node();
        var key = authority.node(directory, "another").getKey();
        assertRefused(options.setKey(key), "tls.key", key, options.getCertificate());
        var secret = Files.readAllLines(Path.of(key)).get(1);
        var broken = directory.resolve("broken.pem");
        Files.writeString(broken, Files.readString(Path.of(key)).replace(secret, secret.substring(8)));
        assertFalse(assertRefused(options.setKey(broken.toString()), "tls.key").contains(secret.substring(8, 40)));
    }

    @Test
    @DisplayName("a key in another form is refused with the command that converts it")
    void keyInAnotherForm() throws IOException {
        var options = node();
        var key = Path.of(options.getKey());
        Files.writeString(key, Files.readString(key).replace("PRIVATE KEY", "EC PRIVATE KEY"));
        assertRefused(options, "tls.key", "openssl pkcs8 -topk8 -nocrypt");
    }

    @Test
    @DisplayName("a certificate that the node's own authorities do not vouch for is refused")
    void certificateOfAnotherAuthority() {
        var options = node();
        other.issue(options, "node");
        assertRefused(options, "tls.certificate", "tls.trust", "CN=node");
        assertRefused(options.setCertificate(options.getKey()), "tls.certificate", "no certificate in PEM");
    }

    @Test
    @DisplayName("files that changed are taken, wrong ones are not, and are told once")
    void reload() throws IOException {
        var options = node();
        var tls = NodeTls.of(options);
        var first = number(tls);
        tls.reload();
        assertEquals(first, number(tls));
        try (var lines = new LogLines(NodeTls.class.getName())) {
            other.issue(options, "node");
            tls.reload();
            tls.reload();
            assertEquals(first, number(tls), "a certificate that no peer would take");
            assertEquals(1, lines.with("WARN").size(), () -> lines.with("").toString());
            TestAuthority.trust(options, authority, other);
            tls.reload();
            assertNotEquals(first, number(tls));
            Files.delete(Path.of(options.getKey()));
            tls.reload();
            tls.reload();
            assertEquals(2, lines.with("WARN").size(), () -> lines.with("").toString());
        }
    }

    @Test
    @DisplayName("a certificate that is not valid yet is taken when it is, though its files stay as they are")
    void notValidYet() {
        var options = node();
        var tls = NodeTls.of(options);
        var first = number(tls);
        authority.issue(
                options, "node", Instant.now().plus(Duration.ofHours(12)).plusSeconds(2));
        tls.reload();
        assertEquals(first, number(tls), "it is valid in two seconds");
        Await.until(() -> "certificate " + number(tls), () -> {
            tls.reload();
            return !number(tls).equals(first);
        });
    }

    @Test
    @DisplayName("a handshake that began with the former certificate ends with it")
    void handshakeInBetween() {
        var options = node();
        var files = PemFiles.read(options);
        var key = new CurrentKey(TlsIdentity.of(files, "1"));
        var alias = key.chooseServerAlias("EC_RSA", null, null);
        authority.issue(options, "node");
        key.replace(TlsIdentity.of(PemFiles.read(options), "2"));
        assertEquals("1", alias);
        assertNotEquals(key.getCertificateChain("1")[0], key.getCertificateChain("2")[0]);
        assertNotEquals(key.getPrivateKey("1"), key.getPrivateKey("2"));
        assertEquals("2", key.chooseClientAlias(new String[] {"RSA", "EC"}, null, null));
        assertEquals(null, key.chooseClientAlias(new String[] {"RSA"}, null, null));
    }

    private static BigInteger number(NodeTls tls) {
        return tls.identity().certificate().getSerialNumber();
    }

    private static String assertRefused(TlsOptions options, String... parts) {
        var message = assertThrows(IllegalArgumentException.class, () -> NodeTls.of(options))
                .getMessage();
        for (var part : parts) {
            assertTrue(message.contains(part), () -> part + " is not in: " + message);
        }
        return message;
    }
}
