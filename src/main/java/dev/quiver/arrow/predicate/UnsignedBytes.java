package dev.quiver.arrow.predicate;

import dev.quiver.arrow.memory.ByteString;
import java.util.Arrays;

/// Bytes in their unsigned order, of text and binary values.
record UnsignedBytes(byte[] array) implements Comparable<UnsignedBytes> {

  static UnsignedBytes of(ByteString value) {
    return new UnsignedBytes(value.toByteArray());
  }

  /// Returns the least bytes that are greater.
  UnsignedBytes successor() {
    return new UnsignedBytes(Arrays.copyOf(array, array.length + 1));
  }

  @Override
  public int compareTo(UnsignedBytes other) {
    return Arrays.compareUnsigned(array, other.array);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UnsignedBytes that && Arrays.equals(array, that.array);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(array);
  }
}
