package dev.quiver.web.http;

/// The bytes `first` to `last` of a representation, both included, as RFC 9110 §14 counts them.
///
/// Spring's class of that name is an element of the header, without the length that it refers to:
/// see [RangeHeader].
///
/// @param first the first byte, from 0
/// @param last the last byte, not before the first
public record HttpRange(long first, long last) {

  public HttpRange {
    if (first < 0 || last < first) {
      throw new IllegalArgumentException("Not a byte range: " + first + "-" + last);
    }
  }

  long byteSize() {
    return last - first + 1;
  }

  /// The value of `Content-Range` for this part of a representation of `size` bytes.
  public String contentRange(long size) {
    return "bytes " + first + "-" + last + "/" + size;
  }
}
