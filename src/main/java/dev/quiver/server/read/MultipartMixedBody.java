package dev.quiver.server.read;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.formats.Format;
import dev.quiver.server.http.EntityTag;
import dev.quiver.server.http.Json;
import dev.quiver.server.http.TagVariant;
import dev.quiver.server.transfer.BodyPart;
import dev.quiver.server.transfer.BodySource;
import dev.quiver.server.transfer.FixedLengthBody;
import dev.quiver.server.transfer.Representation;
import dev.quiver.server.transfer.StreamingBody;
import dev.quiver.store.blob.BlobSink;
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
/// Part        --> Document, then Stream, then Footnotes if requested
/// ```
///
/// Each part declares its length if it is known, so that no reader has to search for its end. A
/// body that fails ends without the last boundary.
///
/// A change that yields different bytes for the same version needs a new number in [TagVariant].
public final class MultipartMixedBody {

  /// 38 characters of Base64, as the Arrow project's conventions recommend.
  private static final int BOUNDARY_BYTES = 28;

  private final String boundary;

  private MultipartMixedBody(String boundary) {
    this.boundary = boundary;
  }

  /// Returns `arrow` with a document before it.
  ///
  /// @param headers the headers of the whole body
  /// @param documents the document, an array as clients of the conventions expect
  /// @param footnotes text after the stream, or null if not requested
  static Representation of(
      Representation arrow,
      Map<String, String> headers,
      List<?> documents,
      @Nullable String footnotes) {
    EntityTag etag = arrow.etag().with(TagVariant.multipartMixed(footnotes != null));
    MultipartMixedBody parts = new MultipartMixedBody(boundary(etag));
    return new Representation(
        Format.MULTIPART_MIXED.mediaType() + "; boundary=" + parts.boundary,
        etag,
        arrow.lastModified(),
        arrow.immutable(),
        arrow.expiresAt(),
        arrow.codings(),
        headers,
        /* checksum= */ null,
        parts.body(Json.render(documents), arrow, footnotes));
  }

  /// Returns a boundary that no data contains: it is derived from the commit id, which is random
  /// and younger than the data. A version always has the same boundary, so that ranges from
  /// different responses fit together.
  private static String boundary(EntityTag etag) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Arrays.copyOf(Sha256.digest(etag.value()), BOUNDARY_BYTES));
  }

  private BodySource body(byte[] document, Representation arrow, @Nullable String footnotes) {
    List<BodyPart> before = new ArrayList<>();
    before.add(bytes("--" + boundary + partHeader(Json.MEDIA_TYPE, (long) document.length)));
    before.add(BodyPart.Bytes.of(document));
    List<BodyPart> after = new ArrayList<>();
    if (footnotes != null) {
      byte[] last = footnotes.getBytes(StandardCharsets.UTF_8);
      after.add(header("text/plain; charset=utf-8", (long) last.length));
      after.add(BodyPart.Bytes.of(last));
    }
    after.add(bytes("\r\n--" + boundary + "--\r\n"));
    return switch (arrow.body()) {
      case BodySource.Ready(FixedLengthBody stream) ->
          new BodySource.Ready(body(before, arrow.contentType(), stream, after));
      case BodySource.Ready(StreamingBody stream) -> {
        before.add(header(arrow.contentType(), null));
        StreamingBody whole =
            sink -> {
              write(before, sink);
              stream.writeTo(sink);
              write(after, sink);
            };
        yield new BodySource.Ready(whole);
      }
      case BodySource.Selected stream ->
          new BodySource.Selected(() -> body(before, arrow.contentType(), stream.open(), after));
      case BodySource.Static _,
          BodySource.Text _,
          BodySource.Kept _,
          BodySource.Computed _,
          BodySource.Document _,
          BodySource.ListStream _,
          BodySource.AdmittedDocument _ ->
          throw new IllegalArgumentException("Neither a text nor a list is a dataset's Arrow data");
    };
  }

  private FixedLengthBody body(
      List<BodyPart> before, String contentType, FixedLengthBody stream, List<BodyPart> after) {
    List<BodyPart> all = new ArrayList<>(before);
    all.add(header(contentType, stream.byteSize()));
    all.addAll(stream.parts());
    all.addAll(after);
    return FixedLengthBody.of(all.toArray(BodyPart[]::new));
  }

  private static void write(List<BodyPart> parts, BlobSink sink) throws IOException {
    for (BodyPart part : parts) {
      part.writeTo(sink);
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
