package dev.quiver.server.transfer;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.TlsKeys;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.net.SocketFactory;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The thread that reads the next request of a connection. It waits for an hour here, so that no
/// test depends on the speed of its client.
class NextRequestTest {

  private static final int HOUR_MILLIS = 3_600_000;

  private final Tomcat tomcat = new Tomcat();

  /// Returns the name of the responding thread in a header.
  private static final class ThreadNames extends HttpServlet {

    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      response.setHeader(Client.THREAD, Thread.currentThread().getName());
      response.setContentLength(0);
    }
  }

  private static final class Client implements AutoCloseable {

    private static final String THREAD = "X-Thread";

    private final Socket socket;
    private final BufferedReader received;

    Client(SocketFactory sockets, int port) throws IOException {
      socket = sockets.createSocket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(60_000);
      received =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    }

    void send() throws IOException {
      String request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Returns the name of the thread that responded.
    String receiveThreadName() throws IOException {
      assertThat(received.readLine()).startsWith("HTTP/1.1 200 ");
      String thread = "";
      for (String line = received.readLine(); !line.isEmpty(); line = received.readLine()) {
        thread = line.startsWith(THREAD) ? line.substring(THREAD.length() + 2) : thread;
      }
      return thread;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private ThreadPoolExecutor start(int threads) throws LifecycleException {
    return start(threads, new Connector(DirectHttp11Protocol.class.getName()));
  }

  private ThreadPoolExecutor start(int threads, Connector connector) throws LifecycleException {
    tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
    connector.setPort(0);
    connector.setProperty("maxThreads", Integer.toString(threads));
    connector.setProperty("minSpareThreads", Integer.toString(threads));
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", null);
    Tomcat.addServlet(context, "names", new ThreadNames());
    context.addServletMappingDecoded("/*", "names");
    tomcat.start();
    DirectHttp11Protocol protocol = (DirectHttp11Protocol) connector.getProtocolHandler();
    protocol.waitForNextRequest(HOUR_MILLIS);
    return (ThreadPoolExecutor) protocol.getExecutor();
  }

  private static Connector secured(Path keys) {
    Connector connector = new Connector(DirectHttp11Protocol.class.getName());
    connector.setSecure(true);
    connector.setScheme("https");
    connector.setProperty("SSLEnabled", "true");
    SSLHostConfig host = new SSLHostConfig();
    SSLHostConfigCertificate certificate =
        new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
    certificate.setCertificateKeystoreFile(keys.toString());
    certificate.setCertificateKeystorePassword(TlsKeys.PASSWORD);
    host.addCertificate(certificate);
    connector.addSslHostConfig(host);
    return connector;
  }

  private Client connect() throws IOException {
    return connect(SocketFactory.getDefault());
  }

  private Client connect(SocketFactory sockets) throws IOException {
    return new Client(sockets, tomcat.getConnector().getLocalPort());
  }

  @AfterEach
  void stop() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }

  /// Returns once the thread waits, which it does after its client has received the response.
  private static void awaitNextRequest(String thread) {
    eventually(() ->
        assertThat(Thread.getAllStackTraces().entrySet())
            .filteredOn(entry -> entry.getKey().getName().equals(thread))
            .flatMap(entry -> List.of(entry.getValue()))
            .extracting(StackTraceElement::getClassName)
            .contains(ChannelReadiness.class.getName()));
  }

  /// Otherwise, the threads of the pool would take turns.
  @Test
  void threadOfAResponseReadsTheNextRequest() throws Exception {
    start(10);
    try (Client client = connect()) {
      assertThat(threadNames(client)).hasSize(1);
    }
  }

  @Test
  void threadOfAResponseReadsTheNextRequestOverTls(@TempDir Path folder) throws Exception {
    Path keys = TlsKeys.make(folder.resolve("keys.p12"));
    start(10, secured(keys));
    try (Client client = connect(TlsKeys.clientContext(keys).getSocketFactory())) {
      assertThat(threadNames(client)).hasSize(1);
    }
  }

  private static Set<String> threadNames(Client client) throws IOException {
    Set<String> threads = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      client.send();
      threads.add(client.receiveThreadName());
    }
    return threads;
  }

  /// Otherwise, thousands of requests of a busy connection would precede it.
  @Test
  void waitingConnectionPrecedesTheNextRequestOfABusyOne() throws Exception {
    ThreadPoolExecutor pool = start(1);
    try (Client busy = connect();
        Client other = connect()) {
      busy.send();
      awaitNextRequest(busy.receiveThreadName());
      other.send();
      eventually(() -> assertThat(pool.getQueue()).isNotEmpty());
      busy.send();
      busy.receiveThreadName();
      assertThat(other.receiveThreadName()).isNotEmpty();
    }
  }
}
