package dev.quiver.inspect;

import static dev.quiver.inspect.Severity.ERROR;
import static dev.quiver.inspect.Severity.NOTE;
import static dev.quiver.inspect.Severity.WARNING;

import dev.quiver.input.InputException;
import dev.quiver.input.MalformedInputException;
import dev.quiver.input.TooLargeInputException;
import dev.quiver.input.TruncatedInputException;
import dev.quiver.input.UnsupportedInputException;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The kinds of findings.
enum FindingKind {
  /// Framing, metadata or buffers are not what the format says.
  MALFORMED(ERROR),
  /// The input ends too early.
  TRUNCATED(ERROR),
  /// Data breaks a rule of the format, which the finding names.
  INVALID(ERROR),
  /// Data breaks a rule that many writers do not keep to.
  DOUBTFUL(WARNING),
  /// A part of the format that uploads cannot have.
  UNSUPPORTED(WARNING),
  /// Over one of the limits on uploads.
  TOO_LARGE(WARNING),

  LEGACY_FRAMING(NOTE, "messages get the continuation marker"),
  METADATA_V4(NOTE, "metadata becomes V5"),
  BIG_ENDIAN(NOTE, "bodies become little-endian"),
  METADATA_ALIGNMENT(WARNING, "metadata is padded to a multiple of 8 bytes"),
  BODY_ALIGNMENT(WARNING, "bodies are padded to a multiple of 8 bytes"),
  BUFFER_ALIGNMENT(WARNING, "buffers are aligned to 8 bytes"),
  BUFFER_OVERLAP(WARNING, "buffers that share bytes are written apart"),
  /// Readers that verify a flatbuffer before they read it refuse this one.
  METADATA_NOT_STRICT(WARNING, "metadata is written anew"),
  /// Fields of the metadata are absent that some readers insist on.
  METADATA_INCOMPLETE(WARNING, "metadata is written anew"),
  DICTIONARY_DELTA(NOTE, "each dictionary becomes one message"),
  DICTIONARY_REPLACEMENT(NOTE, "each dictionary becomes one message"),
  /// Readers are known to want all dictionaries before the first record batch of a stream.
  LATE_DICTIONARY(WARNING, "dictionaries come before the record batches"),
  MISSING_DICTIONARY(WARNING, "dictionaries that are missing are added, empty"),
  UNKNOWN_NULL_COUNT(WARNING, "nulls are counted"),
  /// Readers are known to look for the length of an empty buffer, too.
  EMPTY_VIEW_BUFFER(WARNING, "empty buffers of views get a length"),

  NO_END_OF_STREAM(WARNING, "an end-of-stream marker is added"),
  TRAILING_ZEROS(WARNING, "the zeros after the end of the stream are left out"),

  /// A Block of a file's footer that does not agree with what stands there.
  BLOCK(ERROR),
  /// A Block longer than the message that stands there.
  BLOCK_LENGTH(WARNING, "the footer is written anew"),
  BLOCK_ORDER(NOTE, "record batches lie in the order of the footer"),
  BLOCK_OVERLAP(WARNING, "messages that share bytes are written apart"),
  /// A message that no Block names: readers of files never look at it.
  UNNAMED_MESSAGE(WARNING, "messages that no Block names are left out"),
  /// Bytes between messages that are neither a message nor padding.
  UNNAMED_BYTES(WARNING, "bytes that belong to no message are left out"),
  SCHEMA_DIFFERS(WARNING, "the file starts with the footer's schema"),
  NO_SCHEMA_MESSAGE(NOTE, "the file starts with the footer's schema");

  private final Severity severity;
  private final @Nullable String change;

  FindingKind(Severity severity) {
    this(severity, null);
  }

  FindingKind(Severity severity, @Nullable String change) {
    this.severity = severity;
    this.change = change;
  }

  static FindingKind of(InputException e) {
    return switch (e) {
      case MalformedInputException _ -> MALFORMED;
      case TruncatedInputException _ -> TRUNCATED;
      case UnsupportedInputException _ -> UNSUPPORTED;
      case TooLargeInputException _ -> TOO_LARGE;
    };
  }

  Severity severity() {
    return severity;
  }

  /// What storing the input would change about it, or null.
  @Nullable String change() {
    return change;
  }

  /// What storing the input would change about it, of a kind that has a change.
  String requiredChange() {
    return Objects.requireNonNull(change);
  }

  /// Whether an upload with such a finding is refused.
  boolean isRefused() {
    return severity == ERROR || this == UNSUPPORTED || this == TOO_LARGE;
  }

  /// Whether only the first finding of this kind is in the report: where one message is so, all
  /// are.
  boolean isReportedOnce() {
    return change != null;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
