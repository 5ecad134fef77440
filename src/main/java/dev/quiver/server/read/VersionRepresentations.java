package dev.quiver.server.read;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.ipc.TruncationPoints;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.transform.InvalidColumnsException;
import dev.quiver.formats.Format;
import dev.quiver.server.http.EntityTag;
import dev.quiver.server.http.Json;
import dev.quiver.server.http.TagVariant;
import dev.quiver.server.pages.Assets;
import dev.quiver.server.pages.PageTemplate;
import dev.quiver.server.resource.Documents;
import dev.quiver.server.resource.VersionHeaders;
import dev.quiver.server.transfer.Body;
import dev.quiver.server.transfer.BodyPart;
import dev.quiver.server.transfer.BodySource;
import dev.quiver.server.transfer.FileBody;
import dev.quiver.server.transfer.FixedLengthBody;
import dev.quiver.server.transfer.Representation;
import dev.quiver.server.transfer.StoredChecksum;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.read.RecompressedMessages;
import dev.quiver.store.read.SelectedBytes;
import dev.quiver.store.read.SelectedVersion;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.ByteRange;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.Lineage;
import dev.quiver.store.version.UploadDigest;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The representations of one version: stored bytes, text rendered from them, and documents.
///
/// @param reference the requested reference; if it names a version, caches may keep the response
public record VersionRepresentations(DatasetReference reference, Snapshot snapshot) {

  /// The end of a stream: a continuation marker and a length of zero.
  private static final byte[] END_OF_STREAM = {-1, -1, -1, -1, 0, 0, 0, 0};

  /// Returns the selected columns and rows as Arrow data. If everything is selected in the stored
  /// codec, that is the stored file, or the stream within it.
  ///
  /// @throws InvalidColumnsException if a column is missing
  public Representation arrow(Format format, ReadParameters parameters) throws IOException {
    SelectedVersion selected = snapshot.select(parameters.selection());
    Codec codec = parameters.codec().codec();
    Map<String, String> headers = counts(selected.rows(), selected.batches());
    headers.put("Content-Disposition", disposition("attachment", reference + format.suffix()));
    headers.put("Link", links(format, parameters));
    String type = format.mediaType();
    TagVariant variant = TagVariant.of(format).selected(selected.id());
    if (codec != null && !snapshot.summary().file().isAllIn(codec)) {
      BodySource body = recompressed(format, selected, codec);
      return of(type, variant.recompressed(codec), headers, body);
    }
    if (selected.isAll()) {
      return of(type, TagVariant.stored(format), headers, stored(format)).with(checksum(format));
    }
    Set<Codec> encoded = selected.encodesBodies() ? codecs() : Set.of();
    return of(type, variant.encodedIn(encoded), headers, selected(format, selected));
  }

  private StoredChecksum checksum(Format format) {
    return format == Format.FILE
        ? new StoredChecksum(snapshot.checksums().file(), sha256(UploadDigest.Form.FILE))
        : new StoredChecksum(snapshot.checksums().stream(), sha256(UploadDigest.Form.STREAM));
  }

  private @Nullable String sha256(UploadDigest.Form form) {
    UploadDigest digest = snapshot.digest();
    return digest != null && digest.form() == form ? digest.sha256() : null;
  }

  /// Returns the same data with its buffers in a negotiated codec instead of the requested one.
  ///
  /// @throws InvalidColumnsException if a column is missing
  public Representation arrow(Format format, ReadParameters parameters, NegotiatedCodec codec)
      throws IOException {
    return arrow(format, parameters.in(codec.codec())).with(codec.contentType(), codec.codings());
  }

  /// Returns the codecs that bodies of this version may have.
  private Set<Codec> codecs() {
    VersionSummary summary = snapshot.summary();
    return summary.file().mixedCodecs()
        ? EnumSet.allOf(Codec.class)
        : EnumSet.of(summary.file().codec());
  }

  private static BodySource recompressed(Format format, SelectedVersion selected, Codec codec) {
    RecompressedMessages messages = selected.recompressed(codec);
    return new BodySource.Ready(
        format == Format.FILE
            ? new RecompressedBody(messages, RecompressedMessages::writeFile)
            : new RecompressedBody(
                messages, (all, sink) -> all.writeStream(0, selected.batches() - 1, sink)));
  }

  private static BodySource selected(Format format, SelectedVersion selected) {
    return new BodySource.Selected(() -> {
      if (format == Format.FILE) {
        return FixedLengthBody.of(whole(selected.file()));
      }
      SelectedBytes stream = selected.stream();
      return new FixedLengthBody(List.of(whole(stream)), stream.truncationPoints());
    });
  }

  private static BodyPart whole(SelectedBytes selected) {
    return new BodyPart.Range(selected::write, 0, selected.byteSize());
  }

  /// Returns one body with a document about this version, then `stream`, then a line of text if
  /// requested.
  public Representation mixed(Representation stream, ReadParameters parameters, boolean footnotes) {
    VersionSummary summary = snapshot.summary();
    Map<String, String> headers = new LinkedHashMap<>(stream.headers());
    headers.remove("Content-Disposition");
    headers.put("Link", links(Format.MULTIPART_MIXED, parameters));
    String note =
        "%s@%d: %s rows in %s record batches.\n"
            .formatted(
                summary.name(),
                summary.version(),
                headers.get("Arrow-Row-Count"),
                headers.get("Arrow-Batch-Count"));
    List<Documents.Version> documents = List.of(Documents.Version.of(summary));
    return MultipartMixedBody.of(stream, headers, documents, footnotes ? note : null);
  }

  String links(Format format, ReadParameters parameters) {
    return VersionHeaders.link(reference, snapshot.summary(), format, parameters.query());
  }

  private BodySource stored(Format format) throws IOException {
    if (format == Format.FILE) {
      return new BodySource.Ready(FixedLengthBody.of(stored(snapshot.file())));
    }
    ByteRange stream = snapshot.stream();
    Footer footer = snapshot.footer();
    return stored(
        List.of(stored(stream)),
        TruncationPoints.within(
            footer.dictionaries(), footer.recordBatches(), stream.byteOffset()));
  }

  private static BodySource stored(List<BodyPart> parts, TruncationPoints truncationPoints) {
    return new BodySource.Ready(new FixedLengthBody(parts, truncationPoints));
  }

  /// Returns the selected columns and rows as text, which is kept as a file once a request needs
  /// its length.
  ///
  /// @param body keeps the file until the response is sent
  /// @throws InvalidColumnsException if a column is missing
  public Representation rows(
      Format format, ReadParameters parameters, TextFiles files, FileBody body) throws IOException {
    Representation streamed = rows(format, parameters, files.text());
    if (streamed.body() instanceof BodySource.Ready(RowsBody rows)
        && rows.selected().isStoredWithin(files.arrow().maximum())) {
      String tag = streamed.etag().value();
      return streamed.with(body.text(rows, () -> files.find(tag), () -> files.open(tag, rows)));
    }
    return streamed;
  }

  /// Returns the selected columns and rows as text of unknown length.
  ///
  /// @param limit the limit on the bytes of the text
  /// @throws InvalidColumnsException if a column is missing
  public Representation rows(Format format, ReadParameters parameters, Limit limit)
      throws IOException {
    SelectedVersion selected = snapshot.select(parameters.selection());
    Map<String, String> headers = headers(format, parameters, selected.rows(), selected.batches());
    RowsBody body = new RowsBody(selected, format, parameters.text(), limit);
    TagVariant variant = TagVariant.text(format, parameters.text()).selected(selected.id());
    return of(format.mediaType(), variant, headers, new BodySource.Ready(body)).asText();
  }

  /// Returns the headers of rows as text.
  Map<String, String> headers(Format format, ReadParameters parameters, long rows, long batches) {
    Map<String, String> headers = counts(rows, batches);
    headers.put(
        "Content-Disposition", disposition(format.disposition(), reference + format.suffix()));
    headers.put("Link", links(format, parameters));
    headers.putAll(cutting(parameters));
    return headers;
  }

  /// Returns a page for people.
  ///
  /// @param permissions those to read the sources of the rows
  /// @param queryable whether the page leads to statements
  /// @throws InvalidColumnsException if a column is missing
  public Representation page(ReadParameters parameters, Permissions permissions, boolean queryable)
      throws IOException {
    SelectedVersion selected = snapshot.select(parameters.selection());
    Map<String, String> headers = new LinkedHashMap<>(PageTemplate.HEADERS);
    headers.put("Link", links(Format.HTML, parameters));
    headers.putAll(cutting(parameters));
    Lineage lineage = permissions.visible(snapshot.lineage());
    DatasetPage page =
        new DatasetPage(reference, snapshot, lineage, selected, parameters, queryable);
    TagVariant assets = TagVariant.page(Assets.hash());
    TagVariant complete = queryable ? assets : assets.withoutSql();
    TagVariant whole =
        lineage == null && snapshot.lineage() != null ? complete.withoutStatement() : complete;
    TagVariant variant = whole.cut(parameters.text().maxValueByteSize()).selected(selected.id());
    return of(Format.HTML.mediaType(), variant, headers, new BodySource.Document(page::render))
        // Another release has other scripts.
        .revalidated()
        .asText();
  }

  /// Returns the record batches `from` to `to`, both included, as a stream of their own.
  public Representation batches(long from, long to, RequestedCodec requested) throws IOException {
    TagVariant variant =
        from == to ? TagVariant.of("batches", from) : TagVariant.of("batches", from, to);
    Map<String, String> headers = counts(snapshot.rows(from, to), to - from + 1);
    String name = reference + "." + variant.text() + Format.STREAM.suffix();
    headers.put("Content-Disposition", disposition("attachment", name));
    Codec codec = requested.codec();
    if (codec == null || snapshot.summary().file().isAllIn(codec)) {
      return of(Format.STREAM.mediaType(), variant, headers, storedBatches(from, to));
    }
    RecompressedMessages all = snapshot.recompressed(codec);
    Body body = new RecompressedBody(all, (messages, sink) -> messages.writeStream(from, to, sink));
    return of(
        Format.STREAM.mediaType(),
        variant.recompressed(codec),
        headers,
        new BodySource.Ready(body));
  }

  private BodySource storedBatches(long from, long to) throws IOException {
    Footer footer = snapshot.footer();
    // All dictionaries are one part, since a part for each would exceed the heap if many clients
    // receive many dictionaries slowly.
    ByteRange schema = snapshot.schemaMessage();
    long prefixByteSize =
        schema.byteSize() + footer.dictionaries().stream().mapToLong(Block::byteSize).sum();
    List<BodyPart> parts = new ArrayList<>();
    parts.add(stored(new ByteRange(schema.byteOffset(), prefixByteSize)));
    ByteRange batches = snapshot.batchRange(from, to);
    parts.add(stored(batches));
    parts.add(BodyPart.Bytes.of(END_OF_STREAM));
    List<Block> blocks = footer.recordBatches().subList((int) from, (int) to + 1);
    long start = batches.byteOffset() - prefixByteSize;
    return stored(parts, TruncationPoints.within(List.of(), blocks, start));
  }

  /// Returns the schema as a stream without batches.
  public Representation schemaStream() {
    FixedLengthBody body =
        FixedLengthBody.of(stored(snapshot.schemaMessage()), BodyPart.Bytes.of(END_OF_STREAM));
    TagVariant variant = TagVariant.of("schema-arrows");
    return of(Format.STREAM.mediaType(), variant, counts(0, 0), new BodySource.Ready(body));
  }

  /// Returns a JSON document about this version.
  public Representation document(TagVariant variant, BodySource.IoSupplier<?> document) {
    BodySource body =
        new BodySource.Document(output -> {
          Object decoded = document.get();
          // Both together may be more than responses may have.
          snapshot.endDecoding();
          Json.render(decoded, output);
        });
    return of(Json.MEDIA_TYPE, variant, Map.of(), body).asText();
  }

  /// Returns a JSON document about this version, whose calculation waits for the permits that it
  /// needs.
  public Representation calculatedDocument(TagVariant variant, BodySource.IoSupplier<?> document) {
    BodySource body =
        new BodySource.AdmittedDocument(output -> {
          Object calculated = document.get();
          snapshot.endDecoding();
          Json.render(calculated, output);
        });
    return of(Json.MEDIA_TYPE, variant, Map.of(), body).asText();
  }

  Representation of(
      String mediaType, TagVariant variant, Map<String, String> headers, BodySource body) {
    return new Representation(
            mediaType,
            EntityTag.of(snapshot.summary().id()).with(variant),
            snapshot.summary().committedAt(),
            reference.version() != null,
            headers,
            body)
        .expiringAt(snapshot.summary().expiresAt());
  }

  private BodyPart stored(ByteRange range) {
    return new BodyPart.Range(snapshot::write, range.byteOffset(), range.byteSize());
  }

  private static Map<String, String> counts(long rows, long batches) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Arrow-Row-Count", Long.toString(rows));
    headers.put("Arrow-Batch-Count", Long.toString(batches));
    return headers;
  }

  /// Returns the header that says how long the values of a text may be, if some are cut.
  static Map<String, String> cutting(ReadParameters parameters) {
    long maximum = parameters.text().maxValueByteSize();
    return maximum == Long.MAX_VALUE
        ? Map.of()
        : Map.of("Quiver-Max-Value-Bytes", Long.toString(maximum));
  }

  /// Returns a `Content-Disposition`. Names have letters, digits, `._-` and perhaps `@`, the only
  /// character that RFC 8187 escapes.
  static String disposition(String type, String name) {
    String escaped = name.replace("@", "%40");
    return type + "; filename=\"" + name + "\"; filename*=UTF-8''" + escaped;
  }
}
