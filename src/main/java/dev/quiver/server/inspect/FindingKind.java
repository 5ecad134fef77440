package dev.quiver.server.inspect;

import static dev.quiver.server.inspect.Severity.ERROR;
import static dev.quiver.server.inspect.Severity.NOTE;
import static dev.quiver.server.inspect.Severity.WARNING;

import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.memory.TruncatedInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The kinds of findings.
enum FindingKind {
  /// Framing, metadata or buffers violate the format.
  MALFORMED(ERROR),
  /// The input ends too early.
  TRUNCATED(ERROR),
  /// Data violates a rule of the format, which the finding names.
  INVALID(ERROR),
  /// Data violates a rule that many writers ignore.
  DOUBTFUL(WARNING),
  /// A part of the format that uploads do not support.
  UNSUPPORTED(WARNING),
  /// The input exceeds one of the limits on uploads.
  TOO_LARGE(WARNING),

  LEGACY_FRAMING(NOTE, "messages get the continuation marker"),
  METADATA_V4(NOTE, "metadata becomes V5"),
  BIG_ENDIAN(NOTE, "bodies become little-endian"),
  METADATA_ALIGNMENT(WARNING, "metadata is padded to a multiple of 8 bytes"),
  BODY_ALIGNMENT(WARNING, "bodies are padded to a multiple of 8 bytes"),
  BUFFER_ALIGNMENT(WARNING, "buffers are aligned to 8 bytes"),
  BUFFER_OVERLAP(WARNING, "overlapping buffers are separated"),
  /// Readers that verify a flatbuffer first reject this one.
  METADATA_NOT_STRICT(WARNING, "metadata is rewritten"),
  /// Metadata lacks optional fields that some readers require.
  METADATA_INCOMPLETE(WARNING, "metadata is rewritten"),
  DICTIONARY_DELTA(NOTE, "each dictionary becomes one message"),
  DICTIONARY_REPLACEMENT(NOTE, "each dictionary becomes one message"),
  /// Some readers expect all dictionaries before the first record batch of a stream.
  LATE_DICTIONARY(WARNING, "dictionaries come before the record batches"),
  MISSING_DICTIONARY(WARNING, "missing dictionaries are added as empty ones"),
  UNKNOWN_NULL_COUNT(WARNING, "nulls are counted"),
  /// Some readers also read the length prefix of an empty buffer.
  EMPTY_VIEW_BUFFER(WARNING, "empty buffers of views get a length"),

  NO_END_OF_STREAM(WARNING, "an end-of-stream marker is added"),
  TRAILING_ZEROS(WARNING, "zeros after the end of the stream are removed"),

  /// A Block of the footer that contradicts the bytes it points to.
  BLOCK(ERROR),
  /// A Block longer than its message.
  BLOCK_LENGTH(WARNING, "the footer is rewritten"),
  BLOCK_ORDER(NOTE, "record batches are stored in footer order"),
  BLOCK_OVERLAP(WARNING, "overlapping messages are separated"),
  /// A message that no Block points to, so file readers never see it.
  UNNAMED_MESSAGE(WARNING, "messages without a Block are removed"),
  /// Bytes between messages that are neither a message nor padding.
  UNNAMED_BYTES(WARNING, "bytes outside of messages are removed"),
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

  /// Returns the change that storing the input would make, or null if none.
  @Nullable String change() {
    return change;
  }

  /// Returns the change that storing the input would make, for a kind that has one.
  String requiredChange() {
    return Objects.requireNonNull(change);
  }

  /// Returns whether an upload with such a finding is rejected.
  boolean isRejected() {
    return severity == ERROR || this == UNSUPPORTED || this == TOO_LARGE;
  }

  /// Returns whether the report contains only the first finding of this kind, because it applies to
  /// all messages alike.
  boolean isReportedOnce() {
    return change != null;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
