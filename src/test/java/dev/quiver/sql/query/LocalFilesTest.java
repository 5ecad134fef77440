package dev.quiver.sql.query;

import static dev.quiver.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.formats.Format;
import dev.quiver.formats.parquet.PageLimits;
import dev.quiver.sql.engine.FileEngine;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.blob.SpooledFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFilesTest {

  @TempDir private Path folder;

  private ForeignRows read(LocalFiles files, SpooledFile file) throws IOException {
    return files.read(
        file,
        FileOptions.parse(Format.PARQUET, Map.of()),
        Limits.DEFAULT,
        /* dataset= */ null,
        Long.MAX_VALUE,
        () -> {});
  }

  private SpooledFile file(Spool spool, int rowCount) throws IOException {
    Path path = folder.resolve(rowCount + ".parquet");
    try (FileEngine engine = new FileEngine(folder)) {
      engine.rows(
          "COPY (SELECT random() AS a FROM range(%d)) TO '%s' (FORMAT parquet)"
              .formatted(rowCount, path));
    }
    byte[] bytes = Files.readAllBytes(path);
    return SpooledFile.written(sink -> sink.write(MemorySegment.ofArray(bytes)), spool);
  }

  /// The page of 100,000 doubles has 800,000 bytes.
  @Test
  void filesWithLargePagesTakeTurns() throws IOException {
    PageLimits pages =
        new PageLimits(new Limit("page-bytes", 1 << 20), new Limit("page-bytes", 4 << 20));
    LocalFiles files =
        new LocalFiles(new Limit("workers", 3), new Limit("timeout", 60_000), pages, folder);
    try (Spool spool = new Spool(folder, new Limit("quiver.spool.bytes", 64 << 20));
        SpooledFile large = file(spool, 100_000);
        SpooledFile small = file(spool, 10)) {
      ForeignRows first = read(files, large);
      CompletableFuture<Long> second =
          CompletableFuture.supplyAsync(() -> {
            try (ForeignRows rows = read(files, large)) {
              return requireNonNull(rows.rowCount());
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      eventually(() -> assertThat(files.waitingCount()).isOne());
      assertThat(files.readCount()).isOne();
      try (ForeignRows third = read(files, small)) {
        assertThat(third.rowCount()).isEqualTo(10);
      }
      assertThat(second).isNotDone();
      first.close();
      assertThat(second.join()).isEqualTo(100_000);
      assertThat(files.readCount()).isZero();
    }
  }
}
