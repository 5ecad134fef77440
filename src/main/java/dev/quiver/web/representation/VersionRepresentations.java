package dev.quiver.web.representation;

import dev.quiver.codec.BufferCodec;
import dev.quiver.codec.Codec;
import dev.quiver.codec.RequestedCodec;
import dev.quiver.dataset.read.RecompressedMessages;
import dev.quiver.dataset.read.SelectedLayout;
import dev.quiver.dataset.read.SelectedVersion;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.version.ByteRange;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.input.Limit;
import dev.quiver.ipc.TruncationPoints;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.Footer;
import dev.quiver.render.Numbers;
import dev.quiver.transform.InvalidColumnsException;
import dev.quiver.web.http.MediaTypes;
import dev.quiver.web.problem.Json;
import dev.quiver.web.request.ReadParameters;
import dev.quiver.web.resource.Documents;
import dev.quiver.web.resource.HtmlFormat;
import dev.quiver.web.resource.LinkHeader;
import dev.quiver.web.resource.MultipartMixedFormat;
import dev.quiver.web.resource.NegotiatedFormat;
import dev.quiver.web.resource.RowsFormat;
import dev.quiver.web.resource.StoredFormat;
import dev.quiver.web.resource.VersionTag;
import dev.quiver.web.response.Body;
import dev.quiver.web.response.BodyPart;
import dev.quiver.web.response.BodySource;
import dev.quiver.web.response.FixedLengthBody;
import dev.quiver.web.response.Representation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The representations of one version: what is stored, what is rendered from it, and documents.
///
/// @param reference what the client asked for: a version that it names may be cached for ever
public record VersionRepresentations(DatasetReference reference, Snapshot snapshot) {

  /// The end of a stream: a continuation marker and no metadata.
  private static final byte[] END_OF_STREAM = {-1, -1, -1, -1, 0, 0, 0, 0};

  /// The selected columns and rows as Arrow data: the stored file, or the stream that lies in it,
  /// when all are selected in the codec in which they are stored.
  ///
  /// @throws InvalidColumnsException when there are no such columns
  public Representation arrow(StoredFormat format, ReadParameters parameters) throws IOException {
    SelectedVersion selected = snapshot.select(parameters.selection());
    Codec codec = parameters.codec().codec();
    Map<String, String> headers = counts(selected.rows(), selected.batches());
    headers.put("Content-Disposition", disposition("attachment", reference + format.suffix()));
    headers.put("Link", links(format, parameters));
    if (codec != null && !snapshot.summary().isAllIn(codec)) {
      String variant = variant(variant(format.suffix().substring(1), selected), codec);
      return of(format.mediaType(), variant, headers, recompressed(format, selected, codec));
    }
    if (selected.isAll()) {
      return of(format.mediaType(), format.variant(), headers, stored(format));
    }
    String variant = variant(format.suffix().substring(1), selected);
    for (Codec stored : selected.cutsBatches() ? codecs() : Set.<Codec>of()) {
      variant = withLibraryVersion(variant, stored);
    }
    return of(format.mediaType(), variant, headers, selected(format, selected));
  }

  /// The same with its buffers in the codec that was negotiated, whatever the parameters say.
  ///
  /// @throws InvalidColumnsException when there are no such columns
  public Representation arrow(StoredFormat format, ReadParameters parameters, NegotiatedCodec codec)
      throws IOException {
    return arrow(format, parameters.in(codec.codec())).with(codec.contentType(), codec.codings());
  }

  private static String variant(String part, SelectedVersion selected) {
    return selected.isAll()
        ? part
        : "%s-%s-%d".formatted(part, selected.id(), SelectedVersion.FORMAT_NUMBER);
  }

  /// Returns the variant of `part`, all of whose bodies are compressed here in `codec`.
  private static String variant(String part, Codec codec) {
    String variant = "%s-%s-%d".formatted(part, codec.word(), RecompressedMessages.FORMAT_NUMBER);
    return withLibraryVersion(variant, codec);
  }

  private static String withLibraryVersion(String variant, Codec codec) {
    BufferCodec library = codec.bufferCodec();
    return library == null ? variant : variant + "-" + library.libraryVersion();
  }

  /// Returns the codecs in which bodies of this version may be.
  private Set<Codec> codecs() {
    VersionSummary summary = snapshot.summary();
    return summary.mixedCodecs() ? EnumSet.allOf(Codec.class) : EnumSet.of(summary.codec());
  }

  private static BodySource recompressed(
      StoredFormat format, SelectedVersion selected, Codec codec) {
    RecompressedMessages messages = selected.recompressed(codec);
    return new BodySource.Ready(
        switch (format) {
          case FILE -> new RecompressedBody(messages, RecompressedMessages::writeFile);
          case STREAM ->
              new RecompressedBody(
                  messages, (all, sink) -> all.writeStream(0, selected.batches() - 1, sink));
        });
  }

  private static BodySource selected(StoredFormat format, SelectedVersion selected) {
    return new BodySource.Selected(() ->
        switch (format) {
          case FILE -> FixedLengthBody.of(whole(selected.file()));
          case STREAM -> {
            SelectedLayout stream = selected.stream();
            yield new FixedLengthBody(List.of(whole(stream)), stream.truncationPoints());
          }
        });
  }

  private static BodyPart whole(SelectedLayout layout) {
    return new BodyPart.Range(layout::write, 0, layout.byteSize());
  }

  /// A document about this version, then `stream`, then maybe a note for people.
  public Representation mixed(Representation stream, ReadParameters parameters, boolean footnotes) {
    VersionSummary summary = snapshot.summary();
    Map<String, String> headers = new LinkedHashMap<>(stream.headers());
    headers.remove("Content-Disposition");
    headers.put("Link", links(MultipartMixedFormat.MULTIPART_MIXED, parameters));
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

  private String links(NegotiatedFormat format, ReadParameters parameters) {
    return LinkHeader.of(reference, snapshot.summary(), format, parameters.query());
  }

  private BodySource stored(StoredFormat format) throws IOException {
    return switch (format) {
      case FILE -> new BodySource.Ready(FixedLengthBody.of(stored(snapshot.file())));
      case STREAM -> {
        ByteRange stream = snapshot.stream();
        Footer footer = snapshot.footer();
        yield stored(
            List.of(stored(stream)),
            TruncationPoints.within(
                footer.dictionaries(), footer.recordBatches(), stream.byteOffset()));
      }
    };
  }

  private static BodySource stored(List<BodyPart> parts, TruncationPoints truncationPoints) {
    return new BodySource.Ready(new FixedLengthBody(parts, truncationPoints));
  }

  /// The selected columns and rows as text, at most as many bytes as `limit` allows.
  ///
  /// @throws InvalidColumnsException when there are no such columns
  public Representation rows(RowsFormat format, ReadParameters parameters, Limit limit)
      throws IOException {
    SelectedVersion selected = snapshot.select(parameters.selection());
    Map<String, String> headers = counts(selected.rows(), selected.batches());
    headers.put(
        "Content-Disposition", disposition(format.disposition(), reference + format.suffix()));
    headers.put("Link", links(format, parameters));
    Numbers numbers = parameters.numbers();
    RowsBody body = new RowsBody(selected, format, numbers, limit);
    String variant = variant(format.variant(numbers), selected);
    return of(format.mediaType(), variant, headers, new BodySource.Ready(body)).asText();
  }

  /// A page for people.
  ///
  /// @throws InvalidColumnsException when there are no such columns
  public Representation page(ReadParameters parameters) throws IOException {
    SelectedVersion selected = snapshot.select(parameters.selection());
    Map<String, String> headers = new LinkedHashMap<>(PageTemplate.HEADERS);
    headers.put("Link", links(HtmlFormat.HTML, parameters));
    DatasetPage page = new DatasetPage(reference, snapshot, selected, parameters.query());
    String variant = variant("html-" + DatasetPage.FORMAT_NUMBER, selected);
    return of(HtmlFormat.HTML.mediaType(), variant, headers, new BodySource.Document(page::render))
        .asText();
  }

  /// The record batches `from` to `to`, both included, as a stream of their own.
  public Representation batches(long from, long to, RequestedCodec requested) throws IOException {
    String variant = from == to ? "batches-" + from : "batches-" + from + "-" + to;
    Map<String, String> headers = counts(snapshot.rows(from, to), to - from + 1);
    String name = reference + "." + variant + StoredFormat.STREAM.suffix();
    headers.put("Content-Disposition", disposition("attachment", name));
    Codec codec = requested.codec();
    if (codec == null || snapshot.summary().isAllIn(codec)) {
      return of(MediaTypes.ARROW_STREAM, variant, headers, storedBatches(from, to));
    }
    RecompressedMessages all = snapshot.recompressed(codec);
    Body body = new RecompressedBody(all, (messages, sink) -> messages.writeStream(from, to, sink));
    return of(
        MediaTypes.ARROW_STREAM, variant(variant, codec), headers, new BodySource.Ready(body));
  }

  private BodySource storedBatches(long from, long to) throws IOException {
    Footer footer = snapshot.footer();
    List<BodyPart> parts = new ArrayList<>();
    parts.add(stored(snapshot.schemaMessage()));
    for (Block dictionary : footer.dictionaries()) {
      parts.add(stored(new ByteRange(dictionary.offset(), dictionary.end() - dictionary.offset())));
    }
    long prefixByteSize = parts.stream().mapToLong(BodyPart::byteSize).sum();
    ByteRange batches = snapshot.batchRange(from, to);
    parts.add(stored(batches));
    parts.add(BodyPart.Bytes.of(END_OF_STREAM));
    List<Block> blocks = footer.recordBatches().subList((int) from, (int) to + 1);
    long start = batches.byteOffset() - prefixByteSize;
    return stored(parts, TruncationPoints.within(List.of(), blocks, start));
  }

  /// The schema as a stream without batches.
  public Representation schemaStream() {
    FixedLengthBody body =
        FixedLengthBody.of(stored(snapshot.schemaMessage()), BodyPart.Bytes.of(END_OF_STREAM));
    return of(MediaTypes.ARROW_STREAM, "schema-arrows", counts(0, 0), new BodySource.Ready(body));
  }

  /// Returns a JSON document about this version, which is made when its bytes are needed.
  public Representation document(String variant, BodySource.Maker<?> document) {
    BodySource body = new BodySource.Document(() -> Json.render(document.make()));
    return of(Json.MEDIA_TYPE, variant, Map.of(), body).asText();
  }

  private Representation of(
      String mediaType, @Nullable String variant, Map<String, String> headers, BodySource body) {
    return new Representation(
        mediaType,
        VersionTag.of(snapshot.summary(), variant),
        snapshot.summary().committedAt(),
        reference.version() != null,
        headers,
        body);
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

  /// Names hold letters, digits, `._-` and perhaps `@`, the only one that RFC 8187 escapes.
  private static String disposition(String type, String name) {
    String escaped = name.replace("@", "%40");
    return type + "; filename=\"" + name + "\"; filename*=UTF-8''" + escaped;
  }
}
