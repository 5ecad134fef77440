package dev.quiver.arrow.ipc;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.BodyCompression;
import dev.quiver.arrow.metadata.CompressionType;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The codecs that the messages of a stream declare for their bodies.
public final class StreamCodecs {

  private StreamCodecs() {}

  /// Returns the codec of each dictionary and record batch.
  public static List<Codec> of(MemorySegment stream) throws IOException {
    List<Codec> codecs = new ArrayList<>();
    MessageReader reader = new MessageReader(ByteSource.of(stream), Limits.DEFAULT);
    reader.readSchema();
    for (var message = reader.next(); message != null; message = reader.next()) {
      RecordBatchHeader header =
          message.message().header() instanceof DictionaryBatchHeader dictionary
              ? dictionary.data()
              : (RecordBatchHeader) message.message().header();
      codecs.add(
          switch (header.compression()) {
            case null -> Codec.NONE;
            case BodyCompression(CompressionType type) ->
                type == CompressionType.ZSTD ? Codec.ZSTD : Codec.LZ4;
          });
    }
    return codecs;
  }

  /// Returns the codecs of a file, as [#of] does.
  public static List<Codec> ofFile(MemorySegment file) throws IOException {
    return of(file.asSlice(Framing.FILE_HEADER_BYTE_SIZE));
  }
}
