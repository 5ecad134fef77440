package dev.quiver.server.transfer;

import dev.quiver.server.http.HttpRange;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Several ranges of one representation in one body: `multipart/byteranges`, RFC 9110 §14.6.
///
/// @param partType the media type of the representation
/// @param boundary a random boundary, so that the content need not be searched for it
record MultipartRanges(String partType, String boundary) {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BOUNDARY_BYTES = 20;

  static MultipartRanges of(String partType) {
    byte[] random = new byte[BOUNDARY_BYTES];
    RANDOM.nextBytes(random);
    return new MultipartRanges(partType, HexFormat.of().formatHex(random));
  }

  String contentType() {
    return "multipart/byteranges; boundary=" + boundary;
  }

  /// Returns the body. Its length is known before anything is read.
  FixedLengthBody content(FixedLengthBody whole, List<HttpRange> ranges) {
    List<BodyPart> parts = new ArrayList<>();
    for (HttpRange range : ranges) {
      String header =
          "\r\n--%s\r\nContent-Type: %s\r\nContent-Range: %s\r\n\r\n"
              .formatted(boundary, partType, range.contentRange(whole.byteSize()));
      parts.add(bytes(header));
      parts.addAll(whole.slice(range).parts());
    }
    parts.add(bytes("\r\n--" + boundary + "--\r\n"));
    return FixedLengthBody.of(parts.toArray(BodyPart[]::new));
  }

  private static BodyPart bytes(String text) {
    return BodyPart.Bytes.of(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
