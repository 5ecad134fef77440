package dev.quiver.ipc;

import dev.quiver.codec.Codec;
import dev.quiver.input.Limits;
import dev.quiver.memory.ByteSource;
import dev.quiver.metadata.BodyCompression;
import dev.quiver.metadata.CompressionType;
import dev.quiver.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
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
