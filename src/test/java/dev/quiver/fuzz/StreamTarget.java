package dev.quiver.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.ipc.SniffedBody;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.type.Schema;
import dev.quiver.golden.Decoded;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A fuzz target that reads and validates a whole stream and, if it is valid, checks that it
/// survives rewriting.
public final class StreamTarget {

  private static final long IN_FLIGHT_BYTE_SIZE = 1 << 20;

  private StreamTarget() {}

  public static void fuzzerTestOneInput(byte[] input) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stream = arena.allocateFrom(LittleEndian.INT8, input);
      Rejections.allow(() -> readMessages(stream));
      Rewriting rewriting = new Rewriting(input);
      Rejections.allow(() -> {
        Schema schema = Decoded.forEachBatchOfStream(stream, rewriting::add);
        rewriting.assertRoundTrips(schema);
      });
    }
  }

  /// Reads like an upload: in any format, message by message without bodies, up to the end.
  private static void readMessages(MemorySegment stream) throws IOException {
    SniffedBody body = SniffedBody.of(ByteSource.of(stream), BodyFormat.UNKNOWN, Limits.DEFAULT);
    InFlightBytes inFlight = new InFlightBytes(IN_FLIGHT_BYTE_SIZE);
    try (InFlightBytes.Charge charge = inFlight.open()) {
      MessageReader messages = new MessageReader(body.source(), Limits.DEFAULT, charge);
      for (EncapsulatedMessage message = messages.readSchema();
          message != null;
          message = messages.next()) {
        assertThat(messages.bodyRemaining()).isEqualTo(message.message().bodyLength());
        assertThat(message.byteOffset() + message.metaDataLength()).isEqualTo(messages.position());
      }
      if (messages.endOfStreamSeen()) {
        messages.requireEnd();
      }
    } finally {
      assertThat(inFlight.taken()).isZero();
    }
  }
}
