package dev.quiver.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.formats.UploadData;
import dev.quiver.store.AgingDatasets;
import dev.quiver.store.log.AuditLog;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.Expiry;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lines about versions that were written without a request. `AuditTest` has those about
/// compactions.
class OwnWritesAuditTest {

  @TempDir private Path folder;

  @Test
  void deletionOfAnExpiredDatasetHasALine() throws IOException {
    AgingDatasets aging = new AgingDatasets(folder.resolve("store"));
    Path file = folder.resolve("audit.jsonl");
    try (AuditLog log = new AuditLog(file, 1 << 20, 1, false)) {
      new OwnWritesAudit(aging.datasets, log);
      aging.datasets.put(
          AgingDatasets.NAME,
          UploadData.Source.of(AgingDatasets.body(3), BodyFormat.STREAM),
          new WriteCondition.None(),
          UploadOptions.DEFAULT.withExpiry(new Expiry.After(Duration.ofHours(1))),
          /* key= */ null);
      aging.clock.advance(Duration.ofHours(30));
      aging.collectGarbage();
      aging.collectGarbage();
    }
    List<String> lines = Files.readAllLines(file);
    assertThat(lines)
        .singleElement()
        .asString()
        .endsWith(
            "\"principal\":\"service\",\"action\":\"expire\",\"dataset\":\"flights\",\"version\":2}");
  }
}
