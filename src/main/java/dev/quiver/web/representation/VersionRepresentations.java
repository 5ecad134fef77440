package dev.quiver.web.representation;

import dev.quiver.codec.BufferCodec;
import dev.quiver.codec.Codec;
import dev.quiver.codec.RequestedCodec;
import dev.quiver.dataset.read.RecompressedMessages;
import dev.quiver.dataset.read.SelectedVersion;
import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.stored.DictionaryEntry;
import dev.quiver.dataset.version.ByteRange;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.input.Limit;
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
import dev.quiver.web.response.FixedLengthBody;
import dev.quiver.web.response.RebasedBlocks;
import dev.quiver.web.response.RenderedPart;
import dev.quiver.web.response.Representation;
import dev.quiver.web.response.TruncationPoints;
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

  private static Body recompressed(StoredFormat format, SelectedVersion selected, Codec codec) {
    RecompressedMessages messages = selected.recompressed(codec);
    return switch (format) {
      case FILE -> new RecompressedBody(messages, RecompressedMessages::writeFile);
      case STREAM ->
          new RecompressedBody(
              messages, (all, sink) -> all.writeStream(0, selected.batches() - 1, sink));
    };
  }

  private static FixedLengthBody selected(StoredFormat format, SelectedVersion selected) {
    return switch (format) {
      case FILE -> FixedLengthBody.of(new SelectedPart(selected, selected::file));
      case STREAM ->
          new FixedLengthBody(
              List.of(new SelectedPart(selected, selected::stream)), () -> streamCuts(selected));
    };
  }

  private static TruncationPoints streamCuts(SelectedVersion selected) throws IOException {
    long shift = -selected.stream().byteOffset();
    return TruncationPoints.within(
        new RebasedBlocks(selected.dictionaryBlocks(), selected.batchBlocks(), shift));
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

  private FixedLengthBody stored(StoredFormat format) {
    return switch (format) {
      case FILE -> FixedLengthBody.of(new StoredPart(snapshot, snapshot.file()));
      case STREAM -> new FixedLengthBody(List.of(stored(snapshot.stream())), this::streamCuts);
    };
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
    return of(format.mediaType(), variant, headers, body).asText();
  }

  /// A page for people.
  ///
  /// @throws InvalidColumnsException when there are no such columns
  public Representation page(ReadParameters parameters) throws IOException {
    SelectedVersion selected = snapshot.select(parameters.selection());
    Map<String, String> headers = new LinkedHashMap<>(PageTemplate.HEADERS);
    headers.put("Link", links(HtmlFormat.HTML, parameters));
    FixedLengthBody content =
        FixedLengthBody.of(
            new RenderedPart(
                () -> new DatasetPage(reference, snapshot, selected, parameters.query()).render()));
    String variant = variant("html-" + DatasetPage.FORMAT_NUMBER, selected);
    return of(HtmlFormat.HTML.mediaType(), variant, headers, content).asText();
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
    return of(MediaTypes.ARROW_STREAM, variant(variant, codec), headers, body);
  }

  private FixedLengthBody storedBatches(long from, long to) throws IOException {
    ByteRange batches = snapshot.batchRange(from, to);
    List<BodyPart> pieces = prefix();
    long prefixByteSize = pieces.stream().mapToLong(BodyPart::byteSize).sum();
    pieces.add(stored(batches));
    pieces.add(BodyPart.Bytes.of(END_OF_STREAM));
    long shift = prefixByteSize - batches.byteOffset();
    return new FixedLengthBody(pieces, () -> batchCuts((int) from, (int) to, shift));
  }

  /// The schema as a stream without batches.
  public Representation schemaStream() {
    FixedLengthBody content =
        FixedLengthBody.of(stored(snapshot.schemaMessage()), BodyPart.Bytes.of(END_OF_STREAM));
    return of(MediaTypes.ARROW_STREAM, "schema-arrows", counts(0, 0), content);
  }

  /// What makes a document.
  public interface DocumentSource {
    Object make() throws IOException;
  }

  /// A JSON document about this version, made when its bytes are wanted.
  public Representation document(String variant, DocumentSource document) {
    FixedLengthBody content =
        FixedLengthBody.of(new RenderedPart(() -> Json.render(document.make())));
    return of(Json.MEDIA_TYPE, variant, Map.of(), content).asText();
  }

  private Representation of(
      String mediaType, @Nullable String variant, Map<String, String> headers, Body body) {
    return new Representation(
        mediaType,
        VersionTag.of(snapshot.summary(), variant),
        snapshot.summary().committedAt(),
        reference.version() != null,
        headers,
        body);
  }

  private BodyPart stored(ByteRange range) {
    return new StoredPart(snapshot, range);
  }

  /// What has to come before any record batch: the schema and all dictionaries.
  private List<BodyPart> prefix() throws IOException {
    List<BodyPart> pieces = new ArrayList<>();
    pieces.add(stored(snapshot.schemaMessage()));
    for (DictionaryEntry dictionary : snapshot.dictionaries()) {
      pieces.add(stored(new ByteRange(dictionary.byteOffset(), dictionary.byteSize())));
    }
    return pieces;
  }

  private TruncationPoints streamCuts() throws IOException {
    Footer footer = snapshot.footer();
    long shift = -snapshot.stream().byteOffset();
    return TruncationPoints.within(
        new RebasedBlocks(footer.dictionaries(), footer.recordBatches(), shift));
  }

  private TruncationPoints batchCuts(int from, int to, long shift) throws IOException {
    List<Block> batches = snapshot.footer().recordBatches().subList(from, to + 1);
    return TruncationPoints.within(new RebasedBlocks(List.of(), batches, shift));
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
