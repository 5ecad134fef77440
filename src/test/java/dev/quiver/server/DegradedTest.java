package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// A service whose spool cannot be written: it is degraded, but ready.
@TestPropertySource(properties = "quiver.spool.path=/dev/null/spool")
class DegradedTest extends RunningService {

  @Test
  void withoutASpoolOrWorkersTheServiceIsDegradedButReady() throws Exception {
    JsonNode health = json(get("/health"));
    assertThat(health.get("status").asString()).isEqualTo("DEGRADED");
    assertThat(health.get("description").asString()).contains("quiver.spool.path");
    assertThat(get("/health/readiness").statusCode()).isEqualTo(200);
    assertThat(get("/health/liveness").statusCode()).isEqualTo(200);
    assertThat(get("/sql.json?q=SELECT%201").statusCode()).isEqualTo(503);
    assertThat(text(get("/metrics"))).contains("quiver_sql_workers_failed_total 1.0");
    assertThat(put("/datasets/degraded", Streams.numbers(0, 3)).statusCode()).isEqualTo(201);
  }
}
