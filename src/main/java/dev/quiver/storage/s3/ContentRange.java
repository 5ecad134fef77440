package dev.quiver.storage.s3;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// Which bytes of a blob are in an answer (RFC 9110, section 14.4).
///
/// @param first where they start
/// @param blobByteSize how many the blob has
record ContentRange(long first, long blobByteSize) {

  private static final Pattern HEADER = Pattern.compile("bytes (\\d{1,18})-\\d+/(\\d{1,18})");

  /// Of an answer to a request for a range. One that has no such header is of the whole blob, for
  /// neither every store nor every proxy knows ranges.
  ///
  /// @throws IOException when the answer starts anywhere else
  static ContentRange of(GetObjectResponse answer, long byteOffset, String key) throws IOException {
    ContentRange range = parse(answer.contentRange(), answer.contentLength(), key);
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
