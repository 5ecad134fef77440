package dev.quiver.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.web.connector.ConnectionValve;
import dev.quiver.web.connector.DirectHttp11Protocol;
import dev.quiver.web.connector.IncomingBody;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Bodies that are read past Tomcat are whole, and Tomcat knows where they end.
class IncomingBodyTest {

  private static final int BODY_BYTES = 5_000_000;
  private static final String BODY = randomBody();

  /// Much longer than a client here ever pauses, however busy the machine is.
  private static final int IDLE_MILLIS = 3000;

  private static final Tomcat TOMCAT = new Tomcat();

  @BeforeAll
  static void start() throws Exception {
    TOMCAT.setBaseDir(System.getProperty("java.io.tmpdir"));
    Connector connector = new Connector(DirectHttp11Protocol.class.getName());
    connector.setPort(0);
    connector.setProperty("connectionTimeout", Integer.toString(IDLE_MILLIS));
    connector.setProperty("maxSwallowSize", Integer.toString(2 * BODY_BYTES));
    connector.setProperty("continueResponseTiming", "onRead");
    TOMCAT.setConnector(connector);
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

  /// Reads as much as the query says, and tells how much of it went past Tomcat.
  private static final class Reader extends HttpServlet {

    private static final long serialVersionUID = 1;

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      int wanted =
          request.getQueryString() == null
              ? Integer.MAX_VALUE
              : Integer.parseInt(request.getQueryString());
      IncomingBody body = IncomingBody.of(request);
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
      String answer =
          "%d bytes, %08x, %s, %s\n"
              .formatted(
                  all, sum.getValue(), end, body == null ? "none" : direct > 0 ? "past" : "");
      response.setContentLength(answer.length());
      response.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
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

  private static String whole(String target) {
    return head(target, "Content-Length: " + BODY_BYTES) + BODY;
  }

  private static RawHttp connect() throws IOException {
    return new RawHttp(TOMCAT.getConnector().getLocalPort());
  }

  /// Returns the responses to pipelined requests, in order.
  private static String[] answers(String... requests) throws Exception {
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
      String[] answers = new String[requests.length];
      for (int i = 0; i < answers.length; i++) {
        assertThat(connection.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
        answers[i] = connection.readUntil("\n");
      }
      sender.join();
      return answers;
    }
  }

  @Test
  void aBodyIsReadPastTomcat() throws Exception {
    assertThat(answers(whole("/"))).containsExactly(sum(BODY_BYTES) + "end, past\n");
  }

  @Test
  void theNextRequestsOfTheConnectionAreReadAsEver() throws Exception {
    String small = head("/", "Content-Length: 7") + BODY.substring(0, 7);
    assertThat(answers(whole("/"), small, whole("/"), whole("/"), small))
        .containsExactly(
            sum(BODY_BYTES) + "end, past\n",
            sum(7) + "end, \n",
            sum(BODY_BYTES) + "end, past\n",
            sum(BODY_BYTES) + "end, past\n",
            sum(7) + "end, \n");
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "100000", "1000000", "4999999"})
  void whatIsNotReadIsLeftOutByTomcat(int wanted) throws Exception {
    assertThat(answers(whole("/?" + wanted), whole("/")))
        .satisfies(answers -> assertThat(answers[0]).startsWith(sum(wanted) + "end, "))
        .satisfies(answers -> assertThat(answers[1]).isEqualTo(sum(BODY_BYTES) + "end, past\n"));
  }

  @Test
  void onlyTomcatFindsTheEndOfChunks() throws Exception {
    String chunks = Integer.toHexString(BODY_BYTES) + "\r\n" + BODY + "\r\n0\r\n\r\n";
    assertThat(answers(head("/", "Transfer-Encoding: chunked") + chunks, whole("/")))
        .containsExactly(sum(BODY_BYTES) + "end, none\n", sum(BODY_BYTES) + "end, past\n");
  }

  @Test
  void anOldClientIsRead() throws Exception {
    try (RawHttp connection = connect()) {
      connection.sendExactly(whole("/").replace("HTTP/1.1", "HTTP/1.0"));
      assertThat(connection.readToEnd()).endsWith("\r\n\r\n" + sum(BODY_BYTES) + "end, past\n");
    }
  }

  @Test
  void whoExpectsItIsToldToContinue() throws Exception {
    try (RawHttp connection = connect()) {
      connection.sendExactly(head("/", "Content-Length: " + BODY_BYTES + "\nExpect: 100-continue"));
      assertThat(connection.readUntil("\r\n\r\n")).isEqualTo("HTTP/1.1 100 \r\n\r\n");
      connection.sendExactly(BODY + whole("/"));
      assertThat(connection.readUntil("past")).contains(sum(BODY_BYTES));
      assertThat(connection.readUntil("past")).contains(sum(BODY_BYTES));
    }
  }

  @Test
  void aBodyThatComesSlowlyIsWhole() throws Exception {
    try (RawHttp connection = connect()) {
      connection.sendExactly(head("/", "Content-Length: " + BODY_BYTES));
      for (int start = 0; start < BODY_BYTES; start += 500_000) {
        Thread.sleep(20);
        connection.sendExactly(BODY.substring(start, start + 500_000));
      }
      assertThat(connection.readUntil("past")).contains(sum(BODY_BYTES));
    }
  }

  @Test
  void aBodyThatEndsTooEarlyIsCut() throws Exception {
    try (RawHttp connection = connect()) {
      connection.sendExactly(whole("/").substring(0, 3_000_000));
      connection.finishSending();
      assertThat(connection.readToEnd())
          .startsWith("HTTP/1.1 400 ")
          .contains("\r\nConnection: close\r\n", "java.io.EOFException");
    }
  }

  @Test
  void whoSendsNothingMoreIsNotWaitedFor() throws Exception {
    try (RawHttp connection = connect()) {
      connection.sendExactly(whole("/").substring(0, 3_000_000));
      assertThat(connection.readUntil("past"))
          .contains(", The client sent nothing for " + IDLE_MILLIS + " ms, past");
    }
  }

  @Test
  void aConnectionIsKeptThatWasWaitedForLongerThanItMayBeIdle() throws Exception {
    try (RawHttp connection = connect()) {
      connection.sendExactly(head("/", "Content-Length: " + BODY_BYTES));
      int sent = 0;
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS + 1000);
      while (System.nanoTime() < end) {
        Thread.sleep(100);
        connection.sendExactly(BODY.substring(sent, ++sent));
      }
      connection.sendExactly(BODY.substring(sent));
      assertThat(connection.readUntil("past")).contains(sum(BODY_BYTES));
      // Tomcat looks for idle connections once a second.
      Thread.sleep(1500);
      connection.sendExactly(whole("/"));
      assertThat(connection.readUntil("past")).contains(sum(BODY_BYTES));
    }
  }
}
