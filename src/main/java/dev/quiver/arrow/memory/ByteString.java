package dev.quiver.arrow.memory;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// An immutable sequence of bytes, usually UTF-8.
///
/// Arrow declares values of custom metadata as text, but existing files hold other bytes as well.
/// The order is the order of unsigned bytes.
public final class ByteString implements Comparable<ByteString> {

  public static final ByteString EMPTY = new ByteString(new byte[0]);

  private final byte[] bytes;

  private ByteString(byte[] bytes) {
    this.bytes = bytes;
  }

  public static ByteString of(byte[] bytes) {
    return new ByteString(bytes.clone());
  }

  public static ByteString of(String text) {
    return new ByteString(text.getBytes(StandardCharsets.UTF_8));
  }

  public int byteSize() {
    return bytes.length;
  }

  public byte[] toByteArray() {
    return bytes.clone();
  }

  /// Returns the least sequence that is greater.
  public ByteString successor() {
    return new ByteString(Arrays.copyOf(bytes, bytes.length + 1));
  }

  @Override
  public int compareTo(ByteString other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  /// Returns the bytes decoded as UTF-8, with U+FFFD in place of invalid ones.
  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ByteString that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
