package dev.quiver.server.http;

import dev.quiver.arrow.codec.BufferCodec;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.Zstandard;
import dev.quiver.arrow.terminal.TerminalTable;
import dev.quiver.arrow.text.CellTexts;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.formats.Format;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// The part of an entity tag that identifies one representation of a version: equal for equal
/// bytes, different for different bytes.
///
/// ```text
/// Tag           → CommitId '.' Version { '.' Variant }
/// Variant       → Name { '-' Parameter } [ Safe ] [ Mark ] [ Envelope ] [ Cut ] [ Selection ] [ Recompression ] { '-' LibraryVersion }
/// Safe          → '-safe-' FormatNumber
/// Mark          → '-bom-' FormatNumber
/// Envelope      → '-envelope-' FormatNumber
/// Cut           → '-max-' Bytes '-' FormatNumber
/// Selection     → '-' SelectionId '-' FormatNumber
/// Recompression → '-' Codec '-' FormatNumber
/// ```
///
/// This class alone knows the numbers of our formats and the versions of the libraries that
/// compress. A change that turns the same data into different bytes must raise the number of its
/// format.
///
/// @param text characters that RFC 9110 §8.8.3 allows; empty for the stored file
public record TagVariant(String text) {

  /// The stored file, whose tag is the commit id and the version alone.
  public static final TagVariant STORED_FILE = new TagVariant("");

  private static final int SELECTION = 1;
  private static final int RECOMPRESSION = 2;
  private static final int TEXT = 2;
  private static final int TABLE = 1;
  private static final int SAFE = 1;
  private static final int CUT = 1;
  private static final int RESULT = 3;
  private static final int BYTE_ORDER_MARK = 1;
  private static final int ENVELOPE = 1;
  private static final int WORKBOOK = 1;
  private static final int PARQUET = 2;
  private static final int DOCUMENT = 1;
  private static final int PAGE = 7;
  private static final int MULTIPART_MIXED = 1;
  private static final int CONTENT_CODING = 2;

  /// Returns the variant of stored bytes, or of a document with parameters.
  public static TagVariant of(String name, Object... parameters) {
    return new TagVariant(name).with(parameters);
  }

  /// Returns the variant of a document that has the text of values, or names of types.
  public static TagVariant document(String name, Object... parameters) {
    return of(name, DOCUMENT).with(parameters);
  }

  /// Returns the variant of the stored bytes in an Arrow format.
  public static TagVariant stored(Format format) {
    return format == Format.FILE ? STORED_FILE : of(format);
  }

  /// Returns the variant from which those of selected and recompressed Arrow data are derived.
  public static TagVariant of(Format format) {
    return of(name(format));
  }

  /// Returns the variant of rows as text.
  public static TagVariant text(Format format, TextOptions options) {
    TagVariant text = of(name(format), TEXT, options.numbers().name().toLowerCase(Locale.ROOT));
    TagVariant formed = options.texts() == CellTexts.EXACT ? text : text.with("safe", SAFE);
    TagVariant marked = options.byteOrderMark() ? formed.with("bom", BYTE_ORDER_MARK) : formed;
    TagVariant enveloped = options.envelope() ? marked.with("envelope", ENVELOPE) : marked;
    return enveloped.cut(options.maxValueByteSize());
  }

  /// Returns the variant of rows as a table for a terminal.
  public static TagVariant table(TextOptions options, TerminalTable.Form form) {
    return of(
            name(Format.TABLE),
            TABLE,
            options.numbers().name().toLowerCase(Locale.ROOT),
            form.width(),
            form.rows())
        .cut(options.maxValueByteSize());
  }

  private static String name(Format format) {
    return format.suffix().substring(1);
  }

  /// Returns the variant of the same text with its values cut.
  ///
  /// @param maxValueByteSize the maximum size of a value; [Long#MAX_VALUE] if none is cut
  public TagVariant cut(long maxValueByteSize) {
    return maxValueByteSize == Long.MAX_VALUE ? this : with("max", maxValueByteSize, CUT);
  }

  /// Returns the variant of the result of a statement.
  public static TagVariant result() {
    return of("result", RESULT);
  }

  /// Returns the variant of rows as a workbook, which the runtime of Java compresses.
  public static TagVariant workbook(TextOptions options) {
    String numbers = options.numbers().name().toLowerCase(Locale.ROOT);
    return of(name(Format.EXCEL), WORKBOOK, numbers, Runtime.version())
        .cut(options.maxValueByteSize());
  }

  /// Returns the variant of rows as a Parquet file.
  ///
  /// @param engineVersion the version of the library that writes it
  public static TagVariant parquet(String engineVersion) {
    return of(name(Format.PARQUET), PARQUET, engineVersion);
  }

  /// Returns the variant of a page.
  ///
  /// @param assets the hash of the scripts and styles that it names
  public static TagVariant page(String assets) {
    return of("html", PAGE, assets);
  }

  /// Returns the variant of a page that leaves out the statement which computed the rows.
  public TagVariant withoutStatement() {
    return with("plain");
  }

  /// Returns the variant of a page of a service that runs no statements.
  public TagVariant withoutSql() {
    return with("no-sql");
  }

  /// Returns the further variant of a stream in `multipart/mixed`.
  public static TagVariant multipartMixed(boolean footnotes) {
    return of(footnotes ? "mixed-footnotes" : "mixed", MULTIPART_MIXED);
  }

  /// Returns the further variant of a content-coded body.
  ///
  /// @throws IllegalArgumentException if the body is not coded
  static TagVariant contentCoded(ResponseCoding coding) {
    TagVariant coded = of(coding.token(), CONTENT_CODING);
    return switch (coding) {
      case IDENTITY -> throw new IllegalArgumentException("Expected a coding but found none");
      case ZSTD -> coded.with(Zstandard.INSTANCE.libraryVersion());
      case GZIP -> coded.with(Runtime.version());
      case BROTLI -> coded;
    };
  }

  /// Returns the variant of some columns and rows.
  ///
  /// @param id the id of the selection; empty for all
  public TagVariant selected(String id) {
    return id.isEmpty() ? this : with(id, SELECTION);
  }

  /// Returns the variant of the same data where some bodies are compressed again in these codecs.
  public TagVariant encodedIn(Iterable<Codec> codecs) {
    TagVariant encoded = this;
    for (Codec codec : codecs) {
      encoded = encoded.encodedIn(codec);
    }
    return encoded;
  }

  /// Returns the variant of the same data with all bodies in a codec.
  public TagVariant recompressed(Codec codec) {
    return with(codec.word(), RECOMPRESSION).encodedIn(codec);
  }

  private TagVariant encodedIn(Codec codec) {
    BufferCodec library = codec.bufferCodec();
    return library == null ? this : with(library.libraryVersion());
  }

  private TagVariant with(Object... parts) {
    return new TagVariant(
        Arrays.stream(parts).map(part -> "-" + part).collect(Collectors.joining("", text, "")));
  }
}
