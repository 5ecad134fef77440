package dev.quiver.metadata;

import dev.quiver.input.InputLocation;
import dev.quiver.input.MalformedInputException;
import dev.quiver.input.UnsupportedInputException;
import dev.quiver.memory.ByteString;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A table of a [FlatBuffer], which is known to be inside it, as is its vtable.
///
/// Fields are named by their [Slot]. A field outside the table is a [MalformedInputException] that
/// names it.
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

  /// The number that is stored in the field, or the default when it is absent.
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

  /// As [#number], for fields of 32 bits or less.
  int intNumber(Slot slot) {
    return Math.toIntExact(number(slot));
  }

  /// As [#number], refused below 0.
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

  /// The constant whose ordinal is stored in the field; others may exist in later versions.
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

  /// The tables of a vector; an absent vector is empty.
  FlatVector tables(Slot slot) {
    long at = locate(slot);
    return at < 0 ? empty(slot) : buffer.tablesAt(at, slot.name());
  }

  /// The scalars or structs of a vector; an absent vector is empty.
  FlatVector elements(Slot slot, int elementByteSize) {
    long at = locate(slot);
    return at < 0 ? empty(slot) : buffer.elementsAt(at, elementByteSize, slot.name());
  }

  /// The bytes of a string, whatever they are.
  @Nullable ByteString bytes(Slot slot) {
    long at = locate(slot);
    return at < 0 ? null : ByteString.of(buffer.stringAt(at, slot.name()));
  }

  /// A string, refused when it is not UTF-8.
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
      // The character may stand there, or for what is no UTF-8.
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

  /// Where the field is, or -1 when it is absent.
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
