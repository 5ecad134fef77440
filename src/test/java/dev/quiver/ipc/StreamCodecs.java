package dev.quiver.ipc;

import dev.quiver.input.Limits;
import dev.quiver.memory.ByteSource;
import dev.quiver.metadata.BodyCompression;
import dev.quiver.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The codecs that the messages of a stream declare for their bodies.
public final class StreamCodecs {

  private StreamCodecs() {}

  /// Returns `NONE` or the name of a codec for each dictionary and record batch.
  public static List<String> of(MemorySegment stream) throws IOException {
    List<String> codecs = new ArrayList<>();
    MessageReader reader = new MessageReader(ByteSource.of(stream), Limits.DEFAULT);
    reader.readSchema();
    for (var message = reader.next(); message != null; message = reader.next()) {
      RecordBatchHeader header =
          message.message().header() instanceof DictionaryBatchHeader dictionary
              ? dictionary.data()
              : (RecordBatchHeader) message.message().header();
      BodyCompression compression = header.compression();
      codecs.add(compression == null ? "NONE" : compression.codec().name());
    }
    return codecs;
  }

  /// Returns the same as [#of] for a file.
  public static List<String> ofFile(MemorySegment file) throws IOException {
    return of(file.asSlice(Framing.FILE_HEADER_BYTE_SIZE));
  }
}
