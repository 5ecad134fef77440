package dev.quiver.predicate;

import dev.quiver.memory.ByteString;
import java.util.Arrays;

/// Bytes in their unsigned order, of text and binary values.
record Bytes(byte[] array) implements Comparable<Bytes> {

  static Bytes of(ByteString value) {
    return new Bytes(value.toByteArray());
  }

  /// Returns the least bytes that are greater.
  Bytes successor() {
    return new Bytes(Arrays.copyOf(array, array.length + 1));
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(array, other.array);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(array, that.array);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(array);
  }
}
