package dev.quiver.web.representation;

import dev.quiver.memory.Sha256;
import dev.quiver.storage.BlobSink;
import dev.quiver.web.http.EntityTag;
import dev.quiver.web.problem.Json;
import dev.quiver.web.resource.MultipartMixedFormat;
import dev.quiver.web.response.Body;
import dev.quiver.web.response.BodyPart;
import dev.quiver.web.response.FixedLengthBody;
import dev.quiver.web.response.Representation;
import dev.quiver.web.response.StreamingBody;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A document and a stream in one body: `multipart/mixed`, RFC 2046 §5.1.
///
/// ```
/// Body        --> "--" Boundary CRLF Part { CRLF "--" Boundary CRLF Part } CRLF "--" Boundary "--" CRLF
/// Part        --> Document, then Stream, then Footnotes where they are asked for
/// ```
///
/// Each part says its length where that is known, so that nobody has to search for its end. A body
/// that fails ends without the last boundary.
public final class MultipartMixedBody {

  /// Changes whenever other bytes are made of the same version.
  private static final int FORMAT_NUMBER = 1;

  /// What the Arrow project's conventions recommend: 38 characters of Base64.
  private static final int BOUNDARY_BYTES = 28;

  private final String boundary;

  private MultipartMixedBody(String boundary) {
    this.boundary = boundary;
  }

  /// `arrow` with a document before it.
  ///
  /// @param headers of the whole
  /// @param documents the array that is the document: clients of the conventions expect one
  /// @param footnotes text after it, or null for none
  static Representation of(
      Representation arrow,
      Map<String, String> headers,
      List<?> documents,
      @Nullable String footnotes) {
    String kind = footnotes == null ? ".mixed-" : ".mixed-footnotes-";
    EntityTag etag = new EntityTag(false, arrow.etag().value() + kind + FORMAT_NUMBER);
    MultipartMixedBody parts = new MultipartMixedBody(boundary(etag));
    return new Representation(
        MultipartMixedFormat.MULTIPART_MIXED.mediaType() + "; boundary=" + parts.boundary,
        etag,
        arrow.lastModified(),
        arrow.immutable(),
        arrow.codings(),
        headers,
        parts.body(Json.render(documents), arrow, footnotes));
  }

  /// No data holds it: it follows from the id of the commit, which was drawn at random after the
  /// data had come. For the same version it is the same, so that ranges fit together.
  private static String boundary(EntityTag etag) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Arrays.copyOf(Sha256.digest(etag.value()), BOUNDARY_BYTES));
  }

  private Body body(byte[] document, Representation arrow, @Nullable String footnotes) {
    byte[] last = footnotes == null ? null : footnotes.getBytes(StandardCharsets.UTF_8);
    List<BodyPart> after = new ArrayList<>();
    if (last != null) {
      after.add(header("text/plain; charset=utf-8", (long) last.length));
      after.add(BodyPart.Bytes.of(last));
    }
    after.add(bytes("\r\n--" + boundary + "--\r\n"));
    List<BodyPart> before = new ArrayList<>();
    before.add(bytes("--" + boundary + partHeader(Json.MEDIA_TYPE, (long) document.length)));
    before.add(BodyPart.Bytes.of(document));
    return switch (arrow.body()) {
      case FixedLengthBody content -> {
        List<BodyPart> all = new ArrayList<>(before);
        all.add(header(arrow.contentType(), content.byteSize()));
        all.addAll(content.pieces());
        all.addAll(after);
        yield FixedLengthBody.of(all.toArray(BodyPart[]::new));
      }
      case StreamingBody streamed -> {
        before.add(header(arrow.contentType(), null));
        StreamingBody whole =
            sink -> {
              write(before, sink);
              streamed.writeTo(sink);
              write(after, sink);
            };
        yield whole;
      }
    };
  }

  private static void write(List<BodyPart> pieces, BlobSink sink) throws IOException {
    for (BodyPart piece : pieces) {
      piece.writeTo(sink);
    }
  }

  private BodyPart header(String contentType, @Nullable Long byteSize) {
    return bytes("\r\n--" + boundary + partHeader(contentType, byteSize));
  }

  private static String partHeader(String contentType, @Nullable Long byteSize) {
    String length = byteSize == null ? "" : "Content-Length: " + byteSize + "\r\n";
    return "\r\nContent-Type: " + contentType + "\r\n" + length + "\r\n";
  }

  private static BodyPart bytes(String text) {
    return BodyPart.Bytes.of(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
