package dev.quiver.store.blob.s3;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// The range of a blob in a response (RFC 9110, section 14.4).
///
/// @param first the position of the first byte
/// @param blobByteSize bytes of the whole blob
record ContentRange(long first, long blobByteSize) {

  private static final Pattern HEADER = Pattern.compile("bytes (\\d{1,18})-\\d+/(\\d{1,18})");

  /// Returns the range of a response to a range request. Without the header, the response has the
  /// whole blob, since some stores and proxies ignore ranges.
  ///
  /// @throws IOException if the response starts at another position
  static ContentRange of(GetObjectResponse response, long byteOffset, String key)
      throws IOException {
    ContentRange range = parse(response.contentRange(), response.contentLength(), key);
    if (range.first != byteOffset) {
      throw new IOException(
          "Expected bytes from %d on but found those from %d on at key %s"
              .formatted(byteOffset, range.first, key));
    }
    return range;
  }

  private static ContentRange parse(@Nullable String header, long byteSize, String key)
      throws IOException {
    if (header == null) {
      return new ContentRange(0, byteSize);
    }
    Matcher matcher = HEADER.matcher(header);
    if (!matcher.matches()) {
      throw new IOException(
          "Expected a range of bytes but found \"%s\" at key %s".formatted(header, key));
    }
    return new ContentRange(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
  }
}
