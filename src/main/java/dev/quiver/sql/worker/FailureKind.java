package dev.quiver.sql.worker;

/// Why a statement failed.
public enum FailureKind {
  /// The statement does not parse.
  SYNTAX,
  /// It names an unknown table, column or function.
  NAME,
  /// It means nothing, such as the sum of texts, lacks a parameter, or passes something invalid to
  /// a function.
  BINDING,
  /// It is not a single SELECT, or reaches for something that statements may not use.
  NOT_ALLOWED,
  /// It uses a value or a type that has no equivalent on the other side.
  UNSUPPORTED_TYPE,
  /// A value does not convert, or a computation is undefined for it.
  CONVERSION,
  /// It inflates to more bytes than the request allows.
  TOO_LARGE,
  /// It needs more memory than a worker has.
  MEMORY,
  /// It was interrupted.
  INTERRUPTED,
  /// A stored version could not be opened, since its files are gone.
  GONE,
  /// A stored version could not be read, since its data is invalid.
  INVALID_VERSION,
  /// The bytes of a stored version are damaged. The message comes from a [DamagedRange].
  DAMAGED,
  /// The worker can run no further statement.
  FATAL,
  /// The engine failed for another reason than the statement.
  OTHER
}
