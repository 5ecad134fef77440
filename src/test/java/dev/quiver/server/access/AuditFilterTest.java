package dev.quiver.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.store.log.AuditLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/// Lines about requests that fail where no handler tells of it.
class AuditFilterTest {

  @TempDir private Path folder;

  private String lineOfFailure(boolean committed) throws IOException {
    Path file = folder.resolve("audit.jsonl");
    try (AuditLog log = new AuditLog(file, 1 << 20, 1, false)) {
      MockHttpServletRequest request = new MockHttpServletRequest("PUT", "/datasets/cities");
      request.setServletPath("/datasets/cities");
      MockHttpServletResponse response = new MockHttpServletResponse();
      response.setCommitted(committed);
      assertThatThrownBy(() ->
              new AuditFilter(log, Set.of())
                  .doFilter(
                      request,
                      response,
                      (_, _) -> {
                        throw new IOException("the chain fails");
                      }))
          .hasMessage("the chain fails");
    }
    return Files.readString(file);
  }

  @Test
  void auditsAFailedWriteAsAFailure() throws IOException {
    assertThat(lineOfFailure(/* committed= */ false))
        .contains("\"action\":\"upload\",\"dataset\":\"cities\",\"status\":500");
  }

  @Test
  void auditsTheSentStatus() throws IOException {
    assertThat(lineOfFailure(/* committed= */ true)).contains("\"status\":200");
  }
}
