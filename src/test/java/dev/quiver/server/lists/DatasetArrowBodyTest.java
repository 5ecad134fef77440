package dev.quiver.server.lists;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.validate.Level;
import dev.quiver.formats.Format;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.StoredFile;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The list of datasets as Arrow data when the store fails in the middle.
class DatasetArrowBodyTest {

  private static VersionSummary summary(int number) {
    StoredFile file = new StoredFile(1, 1, 1000, Codec.NONE, false, Level.VALUES, 8, 8, 8);
    return new VersionSummary(
        new DatasetName("d" + number), 1, "id", VersionKind.UPLOAD, 1, Instant.EPOCH, file, null);
  }

  @Test
  void isTruncatedWithinABatch() {
    DatasetSource source =
        pages -> {
          for (int i = 0; i < 3; i++) {
            pages.accept(List.of(summary(i), summary(10 + i)));
          }
          throw new IOException("The store failed");
        };
    DatasetArrowBody body = new DatasetArrowBody(source, Format.STREAM);
    Bytes bytes = new Bytes();
    List<Long> points = new ArrayList<>();
    assertThatThrownBy(() ->
            body.writeTo(
                BlobSink.reading(segment -> {
                  bytes.write(segment);
                  points.add(body.truncationPoints().atOrBefore(bytes.toByteArray().length));
                })))
        .hasMessage("The store failed");
    points.add(body.truncationPoints().atOrBefore(bytes.toByteArray().length));
    List<Long> possible = points.stream().distinct().filter(point -> point > 0).toList();
    assertThat(possible).hasSize(3);
    for (long point : possible) {
      byte[] received = Arrays.copyOf(bytes.toByteArray(), (int) point);
      assertThatThrownBy(() -> readAll(received)).isInstanceOf(InputException.class);
    }
    // Without such a point, a reader would take all of it for complete.
    assertThat(readAll(bytes.toByteArray())).isEqualTo(6);
  }

  private static long readAll(byte[] stream) {
    try (StreamReader reader =
        new StreamReader(ByteSource.of(MemorySegment.ofArray(stream)), Limits.DEFAULT)) {
      long rows = 0;
      for (var batch = reader.next(); batch != null; batch = reader.next()) {
        rows += batch.length();
      }
      return rows;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
