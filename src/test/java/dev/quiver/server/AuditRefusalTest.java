package dev.quiver.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;
import org.springframework.test.context.TestPropertySource;

/// A service that accepts no write of which its audit log could not tell.
@TestPropertySource(
    properties = {
      "quiver.storage.path=${test.folder}/audit-refusal-store",
      "quiver.audit.path=${test.folder}/audit-refusal/audit.jsonl",
      "quiver.audit.on-failure=refuse",
    })
class AuditRefusalTest extends RunningService {

  @Autowired private Environment environment;

  @Test
  void writesAreRefusedWhileTheLogCannotBeWritten() throws Exception {
    Path file = Path.of(environment.getRequiredProperty("quiver.audit.path"));
    Path folder = requireNonNull(file.getParent());
    Files.createDirectories(requireNonNull(folder.getParent()));
    Files.writeString(folder, "no folder");
    byte[] data = Streams.numbers(0, 3);
    HttpResponse<byte[]> refused = put("/datasets/audited", data);
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(json(refused).get("type").asString())
        .isEqualTo("urn:quiver:problem:audit-unavailable");
    assertThat(json(refused).get("hint").asString()).contains("quiver.audit.path");
    assertThat(get("/datasets/sample.json").statusCode()).isEqualTo(200);
    assertThat(get("/datasets/audited").statusCode()).isEqualTo(404);
    Files.delete(folder);
    assertThat(put("/datasets/audited", data).statusCode()).isEqualTo(201);
    assertThat(file).exists();
  }
}
