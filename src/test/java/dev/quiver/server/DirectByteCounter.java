package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.transfer.Exchange;
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

/// Records how many bytes of each response bypassed Tomcat, as reported to its access log.
/// Responses that may bypass it name their thread in the header `X-Connection`.
@Order(Ordered.HIGHEST_PRECEDENCE)
final class DirectByteCounter extends HttpFilter {

  private static final long serialVersionUID = 1;

  private final transient BlockingQueue<Long> byteCounts = new LinkedBlockingQueue<>();
  private final transient Phaser responding = new Phaser(1);

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    responding.register();
    if (Exchange.of(request).connection() != null) {
      response.setHeader("X-Connection", Thread.currentThread().getName());
    }
    try {
      chain.doFilter(request, response);
    } finally {
      Object end = request.getAttribute(Globals.SENDFILE_FILE_END_ATTR);
      byteCounts.add(end == null ? 0 : (Long) end);
      responding.arriveAndDeregister();
    }
  }

  /// Discards the counts so far. Waits for responses that their clients have received but the
  /// service has not finished.
  void clear() {
    responding.arriveAndAwaitAdvance();
    byteCounts.clear();
  }

  /// Returns the count of the next response, which may end after its client has received it.
  long next() throws InterruptedException {
    Long count = byteCounts.poll(60, TimeUnit.SECONDS);
    assertThat(count).isNotNull();
    return count;
  }
}
