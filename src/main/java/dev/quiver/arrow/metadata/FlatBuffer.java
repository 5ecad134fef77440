package dev.quiver.arrow.metadata;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import java.lang.foreign.MemorySegment;

/// An untrusted FlatBuffers buffer, independent of Arrow.
///
/// ```
/// Buffer → rootOffset:uint32 …                         offsets count from where they stand
/// Table  → vtableOffset:int32 fields                   the vtable is at Table - vtableOffset
/// Vtable → vtableSize:uint16 tableSize:uint16 fieldOffset:uint16*
/// String → length:uint32 bytes
/// Vector → length:uint32 elements
/// ```
///
/// Every access is bounds-checked and works at any alignment. [#isStrict] returns whether verifiers
/// of other libraries would accept everything read so far.
///
/// Offsets only lead forward, so nothing can contain itself. But shared parts are read once per
/// reference, so a few kilobytes could expand into an exponential tree. Reading therefore stops
/// after more bytes than a buffer of this size can plausibly hold.
final class FlatBuffer {

  /// The cost of visiting a table: the offset of its vtable, and two fields. The Java object takes
  /// several times that. At a lower cost, a buffer of references to one table could exhaust the
  /// heap.
  private static final int TABLE_BYTE_SIZE = 12;

  private static final int LENGTH_BYTE_SIZE = 4;

  /// The number of bytes that visits of shared parts may take, in addition to half of the buffer's.
  private static final long SHARED_BYTE_SIZE = 16 << 10;

  private final MemorySegment bytes;
  private final long byteSize;
  private final long allowance;
  private long visited;
  private boolean strict = true;

  FlatBuffer(MemorySegment bytes) {
    this.bytes = bytes;
    this.byteSize = bytes.byteSize();
    this.allowance = byteSize + byteSize / 2 + SHARED_BYTE_SIZE;
  }

  /// Returns the root table.
  ///
  /// @param name the table's name, for errors
  FlatTable root(String name) {
    if (byteSize < LENGTH_BYTE_SIZE) {
      throw new TruncatedInputException(
          "a root offset of 4 bytes", byteSize + " bytes", InputLocation.detail(name));
    }
    return tableAt(0, name, -1);
  }

  /// Returns whether everything read so far would also pass the FlatBuffers verifier. Numbers,
  /// offsets, vtables and vector elements must be at multiples of their size from the start of the
  /// buffer. Offsets must be over 0, and strings must end with a zero byte.
  boolean isStrict() {
    return strict;
  }

  /// Records the position of an item that should have this alignment in bytes.
  void noteAlignment(long position, int alignment) {
    strict &= position % alignment == 0;
  }

  int uint8(long byteOffset) {
    return Byte.toUnsignedInt(LittleEndian.getInt8(bytes, byteOffset));
  }

  int int8(long byteOffset) {
    return LittleEndian.getInt8(bytes, byteOffset);
  }

  int int16(long byteOffset) {
    return LittleEndian.getInt16(bytes, byteOffset);
  }

  int uint16(long byteOffset) {
    return Short.toUnsignedInt(LittleEndian.getInt16(bytes, byteOffset));
  }

  int int32(long byteOffset) {
    return LittleEndian.getInt32(bytes, byteOffset);
  }

  long uint32(long byteOffset) {
    return Integer.toUnsignedLong(LittleEndian.getInt32(bytes, byteOffset));
  }

  long int64(long byteOffset) {
    return LittleEndian.getInt64(bytes, byteOffset);
  }

  /// Returns the table that the offset at `reference` leads to.
  FlatTable tableAt(long reference, String name, int index) {
    visit(TABLE_BYTE_SIZE, name, index);
    long position = target(reference);
    requireInside(position, 4, "a table", name, index);
    noteAlignment(position, 4);
    long vtable = position - int32(position);
    requireInside(vtable, 4, "a vtable", name, index);
    noteAlignment(vtable, 2);
    int vtableSize = uint16(vtable);
    if (vtableSize < 4 || vtableSize % 2 != 0) {
      throw malformed("an even vtable size of 4 or more", vtableSize, name, index);
    }
    requireInside(vtable, vtableSize, "a vtable", name, index);
    int tableSize = uint16(vtable + 2);
    if (tableSize < 4) {
      throw malformed("a table size of 4 or more", tableSize, name, index);
    }
    requireInside(position, tableSize, "a table", name, index);
    return new FlatTable(this, position, tableSize, vtable, vtableSize);
  }

  /// Returns the bytes of the string that the offset at `reference` leads to.
  byte[] stringAt(long reference, String name) {
    long position = target(reference);
    requireInside(position, LENGTH_BYTE_SIZE, "a string", name, -1);
    noteAlignment(position, LENGTH_BYTE_SIZE);
    long length = uint32(position);
    requireInside(position + LENGTH_BYTE_SIZE, length, "a string", name, -1);
    long end = position + LENGTH_BYTE_SIZE + length;
    strict &= end < byteSize && uint8(end) == 0;
    visit(LENGTH_BYTE_SIZE + length, name, -1);
    return bytes.asSlice(position + LENGTH_BYTE_SIZE, length).toArray(LittleEndian.INT8);
  }

  /// Returns the vector of table offsets that the offset at `reference` leads to.
  FlatVector tablesAt(long reference, String name) {
    return elementsAt(reference, Integer.BYTES, name);
  }

  /// Returns the vector of scalars or structs that the offset at `reference` leads to.
  FlatVector elementsAt(long reference, int elementByteSize, String name) {
    FlatVector vector = vectorAt(reference, elementByteSize, name);
    visit(LENGTH_BYTE_SIZE + (long) vector.length() * elementByteSize, name, -1);
    return vector;
  }

  private FlatVector vectorAt(long reference, int elementByteSize, String name) {
    long position = target(reference);
    requireInside(position, LENGTH_BYTE_SIZE, "a vector", name, -1);
    noteAlignment(position, LENGTH_BYTE_SIZE);
    long length = uint32(position);
    requireInside(position + LENGTH_BYTE_SIZE, length * elementByteSize, "a vector", name, -1);
    if (length > 0) {
      // A struct may be larger than the alignment of its largest number.
      noteAlignment(position + LENGTH_BYTE_SIZE, Math.min(elementByteSize, Long.BYTES));
    }
    return new FlatVector(
        this, position + LENGTH_BYTE_SIZE, elementByteSize, Math.toIntExact(length), name);
  }

  private long target(long reference) {
    noteAlignment(reference, Integer.BYTES);
    long offset = uint32(reference);
    strict &= offset != 0;
    return reference + offset;
  }

  private void requireInside(long position, long size, String what, String name, int index) {
    if (position < 0 || position > byteSize || size > byteSize - position) {
      throw malformed(
          what + " inside the metadata of " + byteSize + " bytes",
          size + " bytes at byte " + position,
          name,
          index);
    }
  }

  private void visit(long size, String name, int index) {
    visited += size;
    if (visited > allowance) {
      throw malformed(
          "tables and strings of at most " + allowance + " bytes, counted once per reference",
          "more",
          name,
          index);
    }
  }

  private static MalformedInputException malformed(
      String expected, Object found, String name, int index) {
    return new MalformedInputException(
        expected,
        found.toString(),
        InputLocation.detail(index < 0 ? name : name + "[" + index + "]"));
  }
}
