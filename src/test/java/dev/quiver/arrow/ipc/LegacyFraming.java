package dev.quiver.arrow.ipc;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;

/// Streams with the framing from before release 0.15, without the continuation markers that our
/// writer always writes.
public final class LegacyFraming {

  private LegacyFraming() {}

  /// Reframes all messages and the end of the stream.
  public static byte[] of(byte[] stream) throws IOException {
    return of(stream, _ -> true);
  }

  /// @param legacy selects the messages to reframe by index
  static byte[] of(byte[] stream, LongPredicate legacy) throws IOException {
    Bytes bytes = new Bytes();
    MessageReader reader =
        new MessageReader(ByteSource.of(MemorySegment.ofArray(stream)), Limits.DEFAULT);
    EncapsulatedMessage message = reader.readSchema();
    while (message != null) {
      byte[] metadata = message.metadata().toArray(LittleEndian.INT8);
      MemorySegment body = MemorySegment.ofArray(new byte[(int) reader.bodyRemaining()]);
      reader.readBodyPart(body);
      if (!legacy.test(message.index())) {
        bytes.int32(-1);
      }
      bytes.int32(metadata.length).bytes(metadata).write(body);
      message = reader.next();
    }
    return bytes.int32(0).toByteArray();
  }
}
