package dev.quiver.sql.worker;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// A message between the service and a worker.
///
/// @param payload bytes in the memory into which the channel has read them
public record WorkerFrame(FrameType type, MemorySegment payload) {

  /// The maximum size of a payload.
  public static final int PAYLOAD_BYTE_SIZE_MAXIMUM = 64 << 20;

  /// The maximum size of the payload of a [FrameType#DATA].
  public static final int DATA_BYTE_SIZE_MAXIMUM = 256 << 10;

  /// Returns the payload as text.
  public String text() {
    return new String(payload.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
  }
}
