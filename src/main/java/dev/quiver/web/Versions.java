package dev.quiver.web;

import dev.quiver.dataset.ByteRange;
import dev.quiver.dataset.DatasetReference;
import dev.quiver.dataset.DecodedBatches;
import dev.quiver.dataset.DictionaryEntry;
import dev.quiver.dataset.RecompressedMessages;
import dev.quiver.dataset.Snapshot;
import dev.quiver.dataset.VersionSummary;
import dev.quiver.memory.ByteSink;
import dev.quiver.memory.Limit;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.Footer;
import dev.quiver.render.Numbers;
import dev.quiver.render.Renderer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The representations of one version: what is stored, what is rendered from it, and documents.
///
/// @param reference what the client asked for: a version that it names may be cached for ever
record Versions(DatasetReference reference, Snapshot snapshot) {

  /// The end of a stream: a continuation marker and no metadata.
  private static final byte[] END_OF_STREAM = {-1, -1, -1, -1, 0, 0, 0, 0};

  static EntityTag etag(VersionSummary summary, @Nullable String variant) {
    return EntityTag.of(summary.commitId(), summary.version(), variant);
  }

  /// All as Arrow data: the stored file, or the stream that lies in it, unless it is to be in
  /// another codec.
  ///
  /// @param codec null for that in which it is stored
  Representation arrow(StoredFormat format, @Nullable CodecParameter codec) throws IOException {
    VersionSummary summary = snapshot.summary();
    Map<String, String> headers = counts(summary.rows(), summary.batches());
    headers.put("Content-Disposition", disposition("attachment", reference + format.suffix()));
    headers.put("Link", LinkHeader.of(reference, summary, format));
    if (codec == null || codec.isOf(summary)) {
      return of(format.mediaType(), format.variant(), headers, stored(format));
    }
    Body body =
        switch (format) {
          case FILE -> recompressed(codec, RecompressedMessages::writeFile);
          case STREAM ->
              recompressed(
                  codec, (messages, sink) -> messages.writeStream(0, summary.batches() - 1, sink));
        };
    String variant = codec.variant(format.suffix().substring(1));
    return of(format.mediaType(), variant, headers, body);
  }

  private Content stored(StoredFormat format) {
    return switch (format) {
      case FILE -> Content.of(new Piece.Stored(snapshot, snapshot.file()));
      case STREAM -> new Content(List.of(stored(snapshot.stream())), this::streamCuts);
    };
  }

  private Body recompressed(CodecParameter codec, RecompressedBody.Part part) throws IOException {
    return new RecompressedBody(snapshot.recompressed(codec.compression()), part);
  }

  /// All rows as text, at most as many bytes as `limit` allows.
  Representation rows(RowsFormat format, Numbers numbers, Limit limit) {
    VersionSummary summary = snapshot.summary();
    Map<String, String> headers = counts(summary.rows(), summary.batches());
    headers.put(
        "Content-Disposition", disposition(format.disposition(), reference + format.suffix()));
    headers.put("Link", LinkHeader.of(reference, summary, format));
    StreamedBody body = sink -> render(format, numbers, limit, sink);
    return of(format.mediaType(), format.variant(numbers), headers, body).asText();
  }

  private void render(RowsFormat format, Numbers numbers, Limit limit, ByteSink sink)
      throws IOException {
    try (DecodedBatches batches = snapshot.decodedBatches()) {
      Renderer renderer = Renderer.begin(format.text(), numbers, snapshot.schema(), sink, limit);
      renderer.requireRoom(snapshot.summary().rows());
      for (long i = 0; i < batches.count(); i++) {
        renderer.write(batches.read(i));
      }
      renderer.end();
    }
  }

  /// A page for people.
  Representation page() {
    Map<String, String> headers = new LinkedHashMap<>(PageFrame.HEADERS);
    headers.put("Link", LinkHeader.of(reference, snapshot.summary(), PageFormat.HTML));
    Content content =
        Content.of(new RenderedPiece(() -> new DatasetPage(reference, snapshot).render()));
    String variant = "html-" + DatasetPage.FORMAT_NUMBER;
    return of(PageFormat.HTML.mediaType(), variant, headers, content).asText();
  }

  /// The record batches `from` to `to`, both included, as a stream of their own.
  ///
  /// @param codec null for that in which they are stored
  Representation batches(long from, long to, @Nullable CodecParameter codec) throws IOException {
    String variant = from == to ? "batches-" + from : "batches-" + from + "-" + to;
    Map<String, String> headers = counts(snapshot.rows(from, to), to - from + 1);
    String name = reference + "." + variant + StoredFormat.STREAM.suffix();
    headers.put("Content-Disposition", disposition("attachment", name));
    if (codec == null || codec.isOf(snapshot.summary())) {
      return of(ArrowMediaTypes.STREAM, variant, headers, storedBatches(from, to));
    }
    Body body = recompressed(codec, (messages, sink) -> messages.writeStream(from, to, sink));
    return of(ArrowMediaTypes.STREAM, codec.variant(variant), headers, body);
  }

  private Content storedBatches(long from, long to) throws IOException {
    ByteRange batches = snapshot.batchRange(from, to);
    List<Piece> pieces = prefix();
    long prefixByteSize = pieces.stream().mapToLong(Piece::byteSize).sum();
    pieces.add(stored(batches));
    pieces.add(Piece.Bytes.of(END_OF_STREAM));
    long shift = prefixByteSize - batches.byteOffset();
    return new Content(pieces, () -> batchCuts((int) from, (int) to, shift));
  }

  /// The schema as a stream without batches.
  Representation schemaStream() {
    Content content = Content.of(stored(snapshot.schemaMessage()), Piece.Bytes.of(END_OF_STREAM));
    return of(ArrowMediaTypes.STREAM, "schema-arrows", counts(0, 0), content);
  }

  /// What makes a document.
  interface DocumentSource {
    Object make() throws IOException;
  }

  /// A JSON document about this version, made when its bytes are wanted.
  Representation document(String variant, DocumentSource document) {
    Content content = Content.of(new RenderedPiece(() -> Json.render(document.make())));
    return of(Json.MEDIA_TYPE, variant, Map.of(), content).asText();
  }

  private Representation of(
      String mediaType, @Nullable String variant, Map<String, String> headers, Body body) {
    return new Representation(
        mediaType,
        etag(snapshot.summary(), variant),
        snapshot.summary().committedAt(),
        reference.version() != null,
        headers,
        body);
  }

  private Piece stored(ByteRange range) {
    return new Piece.Stored(snapshot, range);
  }

  /// What has to come before any record batch: the schema and all dictionaries.
  private List<Piece> prefix() throws IOException {
    List<Piece> pieces = new ArrayList<>();
    pieces.add(stored(snapshot.schemaMessage()));
    for (DictionaryEntry dictionary : snapshot.dictionaries()) {
      pieces.add(stored(new ByteRange(dictionary.byteOffset(), dictionary.byteSize())));
    }
    return pieces;
  }

  private SafeCuts streamCuts() throws IOException {
    Footer footer = snapshot.footer();
    long shift = -snapshot.stream().byteOffset();
    return SafeCuts.within(new ShiftedBlocks(footer.dictionaries(), footer.recordBatches(), shift));
  }

  private SafeCuts batchCuts(int from, int to, long shift) throws IOException {
    List<Block> batches = snapshot.footer().recordBatches().subList(from, to + 1);
    return SafeCuts.within(new ShiftedBlocks(List.of(), batches, shift));
  }

  private static Map<String, String> counts(long rows, long batches) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Arrow-Row-Count", Long.toString(rows));
    headers.put("Arrow-Batch-Count", Long.toString(batches));
    return headers;
  }

  /// Names hold letters, digits, `._-` and perhaps `@`, the only one that RFC 8187 escapes.
  private static String disposition(String type, String name) {
    return "%s; filename=\"%s\"; filename*=UTF-8''%s"
        .formatted(type, name, name.replace("@", "%40"));
  }
}
