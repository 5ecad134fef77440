package dev.quiver.arrow.metadata;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A table of a [FlatBuffer]. It and its vtable are known to be inside the buffer.
///
/// Fields are identified by their [Slot]. A field outside the table causes a
/// [MalformedInputException] that names it.
final class FlatTable {

  private static final char REPLACEMENT = '\uFFFD';

  private final FlatBuffer buffer;
  private final long position;
  private final int tableSize;
  private final long vtable;
  private final int vtableSize;

  FlatTable(FlatBuffer buffer, long position, int tableSize, long vtable, int vtableSize) {
    this.buffer = buffer;
    this.position = position;
    this.tableSize = tableSize;
    this.vtable = vtable;
    this.vtableSize = vtableSize;
  }

  /// Returns the number in the field, or the default if absent.
  long number(Slot slot) {
    long at = locate(slot);
    if (at < 0) {
      return slot.defaultValue();
    }
    return switch (slot.type()) {
      case BOOL, UINT8 -> buffer.uint8(at);
      case INT8 -> buffer.int8(at);
      case INT16 -> buffer.int16(at);
      case INT32 -> buffer.int32(at);
      case INT64 -> buffer.int64(at);
      case OFFSET -> throw new IllegalArgumentException(slot.name() + " is not a number");
    };
  }

  /// Returns the same as [#number], for fields of 32 bits or fewer.
  int intNumber(Slot slot) {
    return Math.toIntExact(number(slot));
  }

  /// Returns the same as [#number], but rejects negative numbers.
  long nonNegative(Slot slot) {
    long value = number(slot);
    if (value < 0) {
      throw malformed(slot, "0 or more", value);
    }
    return value;
  }

  boolean flag(Slot slot) {
    return number(slot) != 0;
  }

  /// Returns the constant whose ordinal the field holds. An ordinal outside `constants` is
  /// unsupported, since later versions may add constants.
  <E extends Enum<E>> E constant(Slot slot, E[] constants) {
    long code = number(slot);
    if (code < 0 || code >= constants.length) {
      E last = constants[constants.length - 1];
      throw unsupported(
          slot,
          "a code of 0 (" + constants[0] + ") to " + last.ordinal() + " (" + last + ")",
          code);
    }
    return constants[(int) code];
  }

  boolean has(Slot slot) {
    return locate(slot) >= 0;
  }

  @Nullable FlatTable table(Slot slot) {
    long at = locate(slot);
    return at < 0 ? null : buffer.tableAt(at, slot.name(), -1);
  }

  FlatTable requiredTable(Slot slot) {
    FlatTable table = table(slot);
    if (table == null) {
      throw malformed(slot, "a table", "none");
    }
    return table;
  }

  /// Returns the tables of a vector; an absent vector is empty.
  FlatVector tables(Slot slot) {
    long at = locate(slot);
    return at < 0 ? empty(slot) : buffer.tablesAt(at, slot.name());
  }

  /// Returns the scalars or structs of a vector; an absent vector is empty.
  FlatVector elements(Slot slot, int elementByteSize) {
    long at = locate(slot);
    return at < 0 ? empty(slot) : buffer.elementsAt(at, elementByteSize, slot.name());
  }

  /// Returns the bytes of a string without decoding them, or null if absent.
  @Nullable ByteString bytes(Slot slot) {
    long at = locate(slot);
    return at < 0 ? null : ByteString.of(buffer.stringAt(at, slot.name()));
  }

  /// Returns a string, or null if absent. Rejects invalid UTF-8.
  @Nullable String text(Slot slot) {
    long at = locate(slot);
    if (at < 0) {
      return null;
    }
    byte[] bytes = buffer.stringAt(at, slot.name());
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) < 0) {
      return text;
    }
    try {
      // The replacement character may be in the text itself or stand for invalid UTF-8.
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw malformed(slot, "UTF-8", "other bytes");
    }
  }

  MalformedInputException malformed(Slot slot, String expected, Object found) {
    return new MalformedInputException(
        expected, found.toString(), InputLocation.detail(slot.name()));
  }

  UnsupportedInputException unsupported(Slot slot, String expected, Object found) {
    return new UnsupportedInputException(
        expected, found.toString(), InputLocation.detail(slot.name()));
  }

  private FlatVector empty(Slot slot) {
    return new FlatVector(buffer, 0, 0, 0, slot.name());
  }

  /// Returns the position of the field, or -1 if absent.
  private long locate(Slot slot) {
    int entry = 4 + 2 * slot.index();
    if (entry + 2 > vtableSize) {
      return -1;
    }
    int fieldOffset = buffer.uint16(vtable + entry);
    if (fieldOffset == 0) {
      return -1;
    }
    if (fieldOffset < 4 || fieldOffset + slot.type().byteSize() > tableSize) {
      throw malformed(
          slot, "a field inside its table of " + tableSize + " bytes", "byte " + fieldOffset);
    }
    buffer.noteAlignment(position + fieldOffset, slot.type().byteSize());
    return position + fieldOffset;
  }
}
