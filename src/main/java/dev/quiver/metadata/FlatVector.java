package dev.quiver.metadata;

import dev.quiver.input.InputLocation;
import dev.quiver.input.MalformedInputException;

/// A vector of a [FlatBuffer], whose elements are known to be inside it.
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

  /// The table that element `index` refers to.
  FlatTable table(int index) {
    return buffer.tableAt(element(index), name, index);
  }

  /// The number at `byteOffset` of element `index`.
  int int32(int index, int byteOffset) {
    return buffer.int32(element(index) + byteOffset);
  }

  /// The number at `byteOffset` of element `index`.
  long int64(int index, int byteOffset) {
    return buffer.int64(element(index) + byteOffset);
  }

  /// As [#int64], refused below 0.
  ///
  /// @param member the name of what stands there, or empty when the element is a number itself
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
