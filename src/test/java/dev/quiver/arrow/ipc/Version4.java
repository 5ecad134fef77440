package dev.quiver.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageDecoder;
import dev.quiver.arrow.metadata.MetadataVersion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Streams whose messages declare V4, which our writer never writes. The byte of the metadata that
/// holds the version is found by trial and error.
public final class Version4 {

  private static final byte V4 = 3;
  private static final byte V5 = 4;

  private Version4() {}

  public static byte[] of(byte[] stream) throws IOException {
    byte[] changed = stream.clone();
    MessageReader reader =
        new MessageReader(ByteSource.of(MemorySegment.ofArray(stream)), Limits.DEFAULT);
    change(changed, reader.readSchema());
    for (EncapsulatedMessage message = reader.next(); message != null; message = reader.next()) {
      change(changed, message);
    }
    return changed;
  }

  private static void change(byte[] stream, EncapsulatedMessage message) {
    int start = Math.toIntExact(message.byteOffset()) + 8;
    int end = Math.toIntExact(message.byteOffset()) + message.metaDataLength();
    MemorySegment metadata = MemorySegment.ofArray(stream).asSlice(start, end - start);
    for (long i = 0; i < metadata.byteSize(); i++) {
      if (LittleEndian.getInt8(metadata, i) == V5) {
        LittleEndian.setInt8(metadata, i, V4);
        if (isV4(decoded(metadata), message.message())) {
          return;
        }
        LittleEndian.setInt8(metadata, i, V5);
      }
    }
    assertThat(false).as("a byte that holds the version").isTrue();
  }

  /// Returns whether the message is unchanged, except for the version and the custom metadata to
  /// which V4 gives a meaning.
  private static boolean isV4(@Nullable Message changed, Message before) {
    return changed != null
        && changed.version() == MetadataVersion.V4
        && changed.bodyLength() == before.bodyLength()
        && (changed.header().equals(before.header())
            || !changed.customMetadata().equals(before.customMetadata()));
  }

  private static @Nullable Message decoded(MemorySegment metadata) {
    try {
      return MessageDecoder.decode(metadata, Limits.DEFAULT);
    } catch (InputException e) {
      return null;
    }
  }
}
