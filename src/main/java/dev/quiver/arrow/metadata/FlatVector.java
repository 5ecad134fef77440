package dev.quiver.arrow.metadata;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.MalformedInputException;

/// A vector of a [FlatBuffer] whose elements are known to be inside the buffer.
final class FlatVector {

  private final FlatBuffer buffer;
  private final long position;
  private final int elementByteSize;
  private final int length;
  private final String name;

  FlatVector(FlatBuffer buffer, long position, int elementByteSize, int length, String name) {
    this.buffer = buffer;
    this.position = position;
    this.elementByteSize = elementByteSize;
    this.length = length;
    this.name = name;
  }

  int length() {
    return length;
  }

  /// Returns the table that element `index` refers to.
  FlatTable table(int index) {
    return buffer.tableAt(element(index), name, index);
  }

  /// Returns the 32-bit number at `byteOffset` of element `index`.
  int int32(int index, int byteOffset) {
    return buffer.int32(element(index) + byteOffset);
  }

  /// Returns the 64-bit number at `byteOffset` of element `index`.
  long int64(int index, int byteOffset) {
    return buffer.int64(element(index) + byteOffset);
  }

  /// Returns the same as [#int64], but rejects negative numbers.
  ///
  /// @param member the name of the number, or empty if the element itself is the number
  long nonNegativeInt64(int index, int byteOffset, String member) {
    long value = int64(index, byteOffset);
    if (value < 0) {
      throw malformed(index, member, "0 or more", value);
    }
    return value;
  }

  MalformedInputException malformed(int index, String member, String expected, Object found) {
    return new MalformedInputException(expected, found.toString(), place(index, member));
  }

  InputLocation place(int index, String member) {
    return InputLocation.detail(name + "[" + index + "]" + (member.isEmpty() ? "" : "." + member));
  }

  InputLocation place() {
    return InputLocation.detail(name);
  }

  private long element(int index) {
    return position + (long) index * elementByteSize;
  }
}
