package dev.quiver.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.web.connector.ClientConnection;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Globals;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/// Notes how many bytes of each answer went past Tomcat, as its access log is told; and says in
/// `X-Connection` which thread might have sent them so.
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SentByConnection extends HttpFilter {

  private static final long serialVersionUID = 1;

  private final transient BlockingQueue<Long> byteCounts = new LinkedBlockingQueue<>();
  private final transient Phaser answering = new Phaser(1);

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    answering.register();
    if (ClientConnection.of(request) != null) {
      response.setHeader("X-Connection", Thread.currentThread().getName());
    }
    try {
      chain.doFilter(request, response);
    } finally {
      Object end = request.getAttribute(Globals.SENDFILE_FILE_END_ATTR);
      byteCounts.add(end == null ? 0 : (Long) end);
      answering.arriveAndDeregister();
    }
  }

  /// Forgets the answers so far, also those that their clients have already but that have not
  /// ended.
  void clear() {
    answering.arriveAndAwaitAdvance();
    byteCounts.clear();
  }

  /// The number of the next answer, which ends after its client has all of it.
  long next() throws InterruptedException {
    Long count = byteCounts.poll(60, TimeUnit.SECONDS);
    assertThat(count).isNotNull();
    return count;
  }
}
