package dev.quiver.metadata;

import static dev.quiver.metadata.VtableSlots.MESSAGE_BODY_LENGTH;
import static dev.quiver.metadata.VtableSlots.MESSAGE_HEADER_TYPE;
import static dev.quiver.metadata.VtableSlots.MESSAGE_VERSION;

import java.lang.foreign.MemorySegment;

/// What a message says of itself, also when its header cannot be read: how to get past it.
///
/// @param version as its code, from 0 for V1
/// @param headerType as its code in the union `MessageHeader`
/// @param bodyLength bytes of the body, 0 or more
public record MessageOutline(long version, long headerType, long bodyLength) {

  /// @throws dev.quiver.input.InputException when not even this can be read
  public static MessageOutline of(MemorySegment flatbuffer) {
    FlatTable table = new FlatBuffer(flatbuffer).root("Message");
    return new MessageOutline(
        table.number(MESSAGE_VERSION),
        table.number(MESSAGE_HEADER_TYPE),
        table.nonNegative(MESSAGE_BODY_LENGTH));
  }
}
