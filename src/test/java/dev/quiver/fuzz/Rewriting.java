package dev.quiver.fuzz;

import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.golden.Decoded;
import dev.quiver.golden.Validation;
import dev.quiver.ipc.FileWriter;
import dev.quiver.ipc.StreamWriter;
import dev.quiver.metadata.CompressionType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Valid batches on their way through our writers and back. The input decides by its hash whether
/// as a stream or as a file, and with which codec.
final class Rewriting {

  private static final @Nullable CompressionType[] CODECS = {
    null, CompressionType.LZ4_FRAME, CompressionType.ZSTD
  };

  private final Decoded.Sink sink = new Decoded.Sink();
  private final List<List<List<@Nullable Object>>> values = new ArrayList<>();
  private final boolean asFile;
  private final @Nullable CompressionType codec;
  private @Nullable StreamWriter stream;
  private @Nullable FileWriter file;
  private boolean invalid;

  Rewriting(byte[] input) {
    int hash = Arrays.hashCode(input);
    asFile = (hash & 1) == 0;
    codec = CODECS[Math.floorMod(hash >> 1, CODECS.length)];
  }

  /// Takes a batch, which lives no longer than this call.
  void take(RecordBatch batch) throws IOException {
    invalid |= !Validation.findings(batch).isEmpty() || !Validation.isSmall(batch);
    if (invalid) {
      return;
    }
    values.add(Decoded.values(batch));
    try {
      write(batch);
    } catch (IllegalArgumentException e) {
      if (!String.valueOf(e.getMessage()).startsWith("Expected dictionary ")) {
        throw e;
      }
      // Our writers write each dictionary once.
      invalid = true;
    }
  }

  /// Compares what was taken with what was written.
  void assertSameAfterwards(Schema schema) throws IOException {
    if (invalid) {
      return;
    }
    open(schema);
    if (stream != null) {
      stream.close();
    } else if (file != null) {
      file.close(Metadata.EMPTY);
    }
    Refusals.forbid(() -> {
      Decoded found = asFile ? Decoded.ofFile(sink.written()) : Decoded.ofStream(sink.written());
      found.assertHolds(new Decoded(schema, values), "what was written again");
    });
  }

  private void write(RecordBatch batch) throws IOException {
    open(batch.schema());
    if (stream != null) {
      stream.write(batch);
    } else if (file != null) {
      file.write(batch);
    }
  }

  private void open(Schema schema) throws IOException {
    if (stream == null && file == null) {
      if (asFile) {
        file = new FileWriter(sink, schema, codec);
      } else {
        stream = new StreamWriter(sink, schema, codec);
      }
    }
  }
}
