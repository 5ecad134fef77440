package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;

/// Only health and metrics are served, even if every management endpoint is exposed.
@TestPropertySource(
    properties = {
      "management.endpoints.web.exposure.include=*",
      "management.endpoints.access.default=unrestricted"
    })
class EndpointsTest extends RunningService {

  @Test
  void servesHealthAndMetrics() throws Exception {
    assertThat(text(get("/health"))).contains("\"status\":\"UP\"");
    // A request is counted after its response.
    eventually(() ->
        assertThat(text(get("/metrics")))
            .contains(
                "jvm_memory_used_bytes",
                "jvm_memory_max_bytes",
                "process_cpu_usage",
                "http_server_requests_seconds",
                "disk_free_bytes"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/auditevents",
        "/beans",
        "/conditions",
        "/configprops",
        "/env",
        "/heapdump",
        "/httpexchanges",
        "/info",
        "/logfile",
        "/loggers",
        "/mappings",
        "/sbom",
        "/scheduledtasks",
        "/shutdown",
        "/startup",
        "/threaddump"
      })
  void servesNoOtherManagementEndpoint(String path) throws Exception {
    assertThat(get(path).statusCode()).isEqualTo(404);
  }
}
