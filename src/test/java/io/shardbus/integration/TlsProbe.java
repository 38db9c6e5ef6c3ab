package io.shardbus.integration;

import io.shardbus.options.TlsOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jgroups.Version;
import org.jgroups.stack.IpAddress;

/** A client that comes to a port of a node with more, less or no certificates. */
public final class TlsProbe {
    private static final int MILLIS = 5000;
    private static final int MOST_OF_AN_ALERT = 64;
    private static final char[] PASSWORD = "probe".toCharArray();

    private TlsProbe() {}

    /**
     * Which of the clients without the right certificate a port takes: none that holds a certificate of another
     * authority, none without a certificate, none without TLS.
     */
    public static List<String> taken(int port, TlsOptions stranger) {
        var taken = new ArrayList<String>();
        if (isTaken(port, stranger)) {
            taken.add("with a certificate of another authority");
        }
        if (isTaken(here(port), context(stranger, new KeyManager[0]))) {
            taken.add("without a certificate");
        }
        if (isTakenInPlain(port)) {
            taken.add("without TLS");
        }
        return taken;
    }

    public static boolean isTaken(int port, TlsOptions own) {
        return isTaken(here(port), own);
    }

    public static boolean isTaken(InetSocketAddress place, TlsOptions own) {
        return isTaken(place, context(own, keys(own)));
    }

    private static InetSocketAddress here(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** In TLS 1.3 the server judges after the client has finished: a connection that is not taken ends at once. */
    private static boolean isTaken(InetSocketAddress place, SSLContext context) {
        try (var socket = (SSLSocket) context.getSocketFactory().createSocket(place.getAddress(), place.getPort())) {
            socket.setSoTimeout(MILLIS);
            socket.startHandshake();
            return staysOpen(socket);
        } catch (SSLException | SocketException | SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** With the greeting of a JGroups member: to the event bus the begin of a long message. */
    private static boolean isTakenInPlain(int port) {
        try (var socket = new Socket()) {
            socket.connect(here(port), MILLIS);
            socket.getOutputStream().write(greeting());
            socket.getOutputStream().flush();
            return staysOpen(socket);
        } catch (SocketException e) {
            return false;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] greeting() throws IOException {
        var place = new IpAddress(InetAddress.getLoopbackAddress(), 1);
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeBytes("bela");
        out.writeShort(Version.version);
        out.writeShort(place.serializedSize());
        place.writeTo(out);
        return bytes.toByteArray();
    }

    private static boolean staysOpen(Socket socket) throws IOException {
        socket.setSoTimeout(500);
        try {
            return socket.getInputStream().readAllBytes().length > MOST_OF_AN_ALERT;
        } catch (SocketTimeoutException e) {
            return true;
        }
    }

    private static SSLContext context(TlsOptions own, KeyManager[] keys) {
        try {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate authority : certificates(own.getTrust())) {
                store.setCertificateEntry("authority-" + store.size(), authority);
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(keys, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyManager[] keys(TlsOptions own) {
        try {
            var pem = Files.readString(Path.of(own.getKey())).replaceAll("-----.*-----", "");
            var key = KeyFactory.getInstance("EC")
                    .generatePrivate(
                            new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem)));
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setKeyEntry(
                    "own", key, PASSWORD, certificates(own.getCertificate()).toArray(Certificate[]::new));
            var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, PASSWORD);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Certificate> certificates(String path) throws IOException, GeneralSecurityException {
        var pem = Files.readAllBytes(Path.of(path));
        return List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem)));
    }
}
