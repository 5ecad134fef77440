package dev.quiver;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A key store of a server at `localhost`, and clients that trust it.
public final class TlsKeys {

  public static final String PASSWORD = "changeit";

  private TlsKeys() {}

  /// Makes the key store.
  ///
  /// @param file the file to create
  public static Path make(Path file) {
    try {
      Process keytool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-keyalg",
                  "EC",
                  "-alias",
                  "test",
                  "-dname",
                  "CN=localhost",
                  "-ext",
                  "san=dns:localhost",
                  "-storepass",
                  PASSWORD,
                  "-keystore",
                  file.toString())
              .inheritIO()
              .start();
      if (keytool.waitFor() != 0) {
        throw new IllegalStateException("Expected a key store but found none at " + file);
      }
      return file;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Returns the context of a client that trusts the certificate in a key store.
  public static SSLContext clientContext(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream keys = Files.newInputStream(file)) {
      store.load(keys, PASSWORD.toCharArray());
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("test", store.getCertificate("test"));
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }
}
