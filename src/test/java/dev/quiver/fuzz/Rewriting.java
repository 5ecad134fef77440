package dev.quiver.fuzz;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.transform.Recompression;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.golden.Decoded;
import dev.quiver.golden.Validation;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A round trip of valid batches through our writers. Streams are also recompressed. The hash of
/// the input selects stream or file, and the codec.
final class Rewriting {

  private final Decoded.Sink sink = new Decoded.Sink();
  private final List<List<List<@Nullable Object>>> values = new ArrayList<>();
  private final boolean asFile;
  private final Codec codec;
  private @Nullable StreamWriter stream;
  private @Nullable FileWriter file;
  private boolean invalid;

  Rewriting(byte[] input) {
    int hash = Arrays.hashCode(input);
    asFile = (hash & 1) == 0;
    codec = Codec.values()[Math.floorMod(hash >> 1, Codec.values().length)];
  }

  /// Adds a batch, which is valid only during this call.
  void add(RecordBatch batch) throws IOException {
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

  /// Compares the added batches with the written ones.
  void assertRoundTrips(Schema schema) throws IOException {
    if (invalid) {
      return;
    }
    open(schema);
    if (stream != null) {
      stream.close();
    } else if (file != null) {
      file.close(Metadata.EMPTY);
    }
    Decoded expected = new Decoded(schema, values);
    Rejections.forbid(() -> {
      if (asFile) {
        Decoded.ofFile(sink.written()).assertHolds(expected, "the rewritten file");
      } else {
        MemorySegment written = sink.written();
        Decoded.ofStream(written).assertHolds(expected, "the rewritten stream");
        Decoded.ofStream(recompressed(written, schema))
            .assertHolds(expected, "the recompressed stream");
      }
    });
  }

  /// Recompresses the stream with the next codec.
  private MemorySegment recompressed(MemorySegment written, Schema schema) throws IOException {
    Decoded.Sink target = new Decoded.Sink();
    Codec next = Codec.values()[(codec.ordinal() + 1) % Codec.values().length];
    try (Arena arena = Arena.ofConfined();
        Recompression recompression = new Recompression(schema, next, Limits.DEFAULT)) {
      MessageReader messages = new MessageReader(ByteSource.of(written), Limits.DEFAULT);
      MessageWriter writer = new MessageWriter(target);
      for (EncapsulatedMessage message = messages.readSchema();
          message != null;
          message = messages.next()) {
        MemorySegment body = arena.allocate(messages.bodyRemaining(), Framing.BODY_ALIGNMENT);
        messages.readBodyPart(body);
        recompression.begin(message, body, arena).write(writer);
      }
      writer.writeEndOfStream();
    }
    return target.written();
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
