package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.transfer.ConnectionValve;
import dev.quiver.server.transfer.DirectHttp11Protocol;
import dev.quiver.server.transfer.Exchange;
import dev.quiver.server.transfer.IncomingBody;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Bodies that are read directly from the connection are complete, and Tomcat finds their end.
class IncomingBodyTest {

  private static final int BODY_BYTES = 5_000_000;
  private static final String BODY = randomBody();

  /// Much longer than any pause of a client here, even on a busy machine.
  private static final int READ_TIMEOUT_MILLIS = 30_000;

  /// Shorter than the read timeout, so that a body may pause for longer than this.
  private static final int KEEP_ALIVE_MILLIS = 6000;

  /// For the client that stops sending.
  private static final int SHORT_READ_TIMEOUT_MILLIS = 3000;

  private static final Tomcat TOMCAT = new Tomcat();
  private static final Connector CONNECTOR = connector(READ_TIMEOUT_MILLIS);
  private static final Connector IMPATIENT_CONNECTOR = connector(SHORT_READ_TIMEOUT_MILLIS);

  private static Connector connector(int readTimeoutMillis) {
    Connector connector = new Connector(DirectHttp11Protocol.class.getName());
    connector.setPort(0);
    connector.setProperty("connectionTimeout", Integer.toString(readTimeoutMillis));
    connector.setProperty("keepAliveTimeout", Integer.toString(KEEP_ALIVE_MILLIS));
    connector.setProperty("maxSwallowSize", Integer.toString(2 * BODY_BYTES));
    connector.setProperty("continueResponseTiming", "onRead");
    return connector;
  }

  @BeforeAll
  static void start() throws Exception {
    TOMCAT.setBaseDir(System.getProperty("java.io.tmpdir"));
    TOMCAT.setConnector(CONNECTOR);
    TOMCAT.getService().addConnector(IMPATIENT_CONNECTOR);
    TOMCAT.getEngine().getPipeline().addValve(new ConnectionValve(/* writes= */ true));
    Context context = TOMCAT.addContext("", null);
    Tomcat.addServlet(context, "reader", new Reader());
    context.addServletMappingDecoded("/*", "reader");
    TOMCAT.start();
  }

  @AfterAll
  static void stop() throws LifecycleException {
    TOMCAT.stop();
    TOMCAT.destroy();
  }

  /// Reads as many bytes as the query says, and reports how many there were and whether any were
  /// read directly.
  private static final class Reader extends HttpServlet {

    private static final long serialVersionUID = 1;

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      int wanted =
          request.getQueryString() == null
              ? Integer.MAX_VALUE
              : Integer.parseInt(request.getQueryString());
      IncomingBody body = Exchange.of(request).body();
      CRC32C sum = new CRC32C();
      long direct = 0;
      long all = 0;
      String end = "end";
      try {
        while (all < wanted) {
          ByteBuffer buffer = ByteBuffer.allocateDirect(Math.min((int) (wanted - all), 300_000));
          int count = readDirectly(body, request.getInputStream(), buffer);
          direct += count;
          count = count == 0 ? request.getInputStream().read(buffer) : count;
          if (count < 0) {
            break;
          }
          sum.update(buffer.limit(count));
          all += count;
        }
      } catch (SocketTimeoutException e) {
        end = e.getMessage();
      }
      String report =
          "%d bytes, %08x, %s, %s\n"
              .formatted(
                  all, sum.getValue(), end, body == null ? "none" : direct > 0 ? "direct" : "");
      response.setContentLength(report.length());
      response.getOutputStream().write(report.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static int readDirectly(
        @Nullable IncomingBody body, ServletInputStream input, ByteBuffer buffer)
        throws IOException {
      return body == null || input.available() > 0 ? 0 : body.read(buffer);
    }
  }

  private static String randomBody() {
    byte[] bytes = new byte[BODY_BYTES];
    new Random(1).nextBytes(bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static String sum(int byteSize) {
    CRC32C sum = new CRC32C();
    sum.update(BODY.getBytes(StandardCharsets.ISO_8859_1), 0, byteSize);
    return "%d bytes, %08x, ".formatted(byteSize, sum.getValue());
  }

  private static String head(String target, String framing) {
    return "PUT %s HTTP/1.1\nHost: localhost\n%s\n\n"
        .formatted(target, framing)
        .replace("\n", "\r\n");
  }

  private static String put(String target) {
    return head(target, "Content-Length: " + BODY_BYTES) + BODY;
  }

  private static RawHttp connect() throws IOException {
    return new RawHttp(CONNECTOR.getLocalPort());
  }

  /// Sends pipelined requests, and returns the reports in the responses in order.
  private static String[] reports(String... requests) throws Exception {
    try (RawHttp connection = connect()) {
      Thread sender =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  connection.sendExactly(String.join("", requests));
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      String[] reports = new String[requests.length];
      for (int i = 0; i < reports.length; i++) {
        assertThat(connection.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        reports[i] = connection.readUntil("\n");
      }
      sender.join();
      return reports;
    }
  }

  @Test
  void readsABodyDirectly() throws Exception {
    assertThat(reports(put("/"))).containsExactly(sum(BODY_BYTES) + "end, direct\n");
  }

  @Test
  void readsTheRequestsAfterADirectlyReadBody() throws Exception {
    String small = head("/", "Content-Length: 7") + BODY.substring(0, 7);
    assertThat(reports(put("/"), small, put("/"), put("/"), small))
        .containsExactly(
            sum(BODY_BYTES) + "end, direct\n",
            sum(7) + "end, \n",
            sum(BODY_BYTES) + "end, direct\n",
            sum(BODY_BYTES) + "end, direct\n",
            sum(7) + "end, \n");
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "100000", "1000000", "4999999"})
  void tomcatSkipsTheUnreadRestOfABody(int wanted) throws Exception {
    assertThat(reports(put("/?" + wanted), put("/")))
        .satisfies(reports -> assertThat(reports[0]).startsWith(sum(wanted) + "end, "))
        .satisfies(reports -> assertThat(reports[1]).isEqualTo(sum(BODY_BYTES) + "end, direct\n"));
  }

  @Test
  void chunkedBodyIsReadByTomcatOnly() throws Exception {
    String chunks = Integer.toHexString(BODY_BYTES) + "\r\n" + BODY + "\r\n0\r\n\r\n";
    assertThat(reports(head("/", "Transfer-Encoding: chunked") + chunks, put("/")))
        .containsExactly(sum(BODY_BYTES) + "end, none\n", sum(BODY_BYTES) + "end, direct\n");
  }

  @Test
  void readsTheBodyOfAnHttp10Request() throws Exception {
    try (RawHttp connection = connect()) {
      connection.sendExactly(put("/").replace("HTTP/1.1", "HTTP/1.0"));
      assertThat(connection.readToEnd()).endsWith("\r\n\r\n" + sum(BODY_BYTES) + "end, direct\n");
    }
  }

  @Test
  void sendsContinueIfTheClientExpectsIt() throws Exception {
    try (RawHttp connection = connect()) {
      connection.sendExactly(head("/", "Content-Length: " + BODY_BYTES + "\nExpect: 100-continue"));
      assertThat(connection.readUntil("\r\n\r\n")).isEqualTo("HTTP/1.1 100 \r\n\r\n");
      connection.sendExactly(BODY + put("/"));
      assertThat(connection.readUntil("direct")).contains(sum(BODY_BYTES));
      assertThat(connection.readUntil("direct")).contains(sum(BODY_BYTES));
    }
  }

  @Test
  void readsASlowlySentBodyCompletely() throws Exception {
    try (RawHttp connection = connect()) {
      connection.sendExactly(head("/", "Content-Length: " + BODY_BYTES));
      for (int start = 0; start < BODY_BYTES; start += 500_000) {
        Thread.sleep(20);
        connection.sendExactly(BODY.substring(start, start + 500_000));
      }
      assertThat(connection.readUntil("direct")).contains(sum(BODY_BYTES));
    }
  }

  @Test
  void rejectsATruncatedBody() throws Exception {
    try (RawHttp connection = connect()) {
      connection.sendExactly(put("/").substring(0, 3_000_000));
      connection.finishSending();
      assertThat(connection.readToEnd())
          .startsWith("HTTP/1.1 400 ")
          .contains("\r\nConnection: close\r\n", "java.io.EOFException");
    }
  }

  @Tag("long")
  @Test
  void timesOutAClientThatStopsSending() throws Exception {
    try (RawHttp connection = new RawHttp(IMPATIENT_CONNECTOR.getLocalPort())) {
      connection.sendExactly(put("/").substring(0, 3_000_000));
      assertThat(connection.readUntil("direct"))
          .contains(", The client sent nothing for " + SHORT_READ_TIMEOUT_MILLIS + " ms, direct");
    }
  }

  @Tag("long")
  @Test
  void keepsTheConnectionAfterABodyThatTookLongerThanTheKeepAliveTimeout() throws Exception {
    try (RawHttp connection = connect()) {
      connection.sendExactly(head("/", "Content-Length: " + BODY_BYTES) + BODY.substring(0, 1));
      Thread.sleep(KEEP_ALIVE_MILLIS + 1000);
      connection.sendExactly(BODY.substring(1));
      assertThat(connection.readUntil("direct")).contains(sum(BODY_BYTES));
      // Tomcat looks for idle connections once a second.
      Thread.sleep(1500);
      connection.sendExactly(put("/"));
      assertThat(connection.readUntil("direct")).contains(sum(BODY_BYTES));
    }
  }
}
