package dev.quiver.server.http;

/// The bytes from `first` to `last` of a representation, both inclusive: RFC 9110 §14.
///
/// Spring's class of the same name is an element of the header, which is not yet resolved against a
/// length: see [RangeHeader].
///
/// @param first the first byte, from 0
/// @param last the last byte, not before the first
public record HttpRange(long first, long last) {

  public HttpRange {
    if (first < 0 || last < first) {
      throw new IllegalArgumentException("Expected a byte range but found " + first + "-" + last);
    }
  }

  long byteSize() {
    return last - first + 1;
  }

  /// Returns the `Content-Range` value of this part of a representation of `size` bytes.
  public String contentRange(long size) {
    return "bytes " + first + "-" + last + "/" + size;
  }
}
