package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.VtableSlots.MESSAGE_BODY_LENGTH;
import static dev.quiver.arrow.metadata.VtableSlots.MESSAGE_HEADER_TYPE;
import static dev.quiver.arrow.metadata.VtableSlots.MESSAGE_VERSION;

import java.lang.foreign.MemorySegment;

/// The minimum needed to skip a message, even if its header cannot be read.
///
/// @param version the code of the version, from 0 for V1
/// @param headerType the code in the union `MessageHeader`
/// @param bodyLength bytes of the body, 0 or more
public record MessageOutline(long version, long headerType, long bodyLength) {

  /// @throws dev.quiver.arrow.memory.InputException if even this much cannot be read
  public static MessageOutline of(MemorySegment flatbuffer) {
    FlatTable table = new FlatBuffer(flatbuffer).root("Message");
    return new MessageOutline(
        table.number(MESSAGE_VERSION),
        table.number(MESSAGE_HEADER_TYPE),
        table.nonNegative(MESSAGE_BODY_LENGTH));
  }
}
