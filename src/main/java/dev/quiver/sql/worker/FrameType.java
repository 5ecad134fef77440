package dev.quiver.sql.worker;

import org.jspecify.annotations.Nullable;

/// The meaning of a frame.
///
/// A worker sends [#READY] when it has started, or [#FAILED] if the engine's library cannot be
/// loaded. It responds to [#PARSE] with one [#TREE] or [#FAILED], [#BIND] with one [#DONE] or
/// [#FAILED], and [#RUN] and [#SHEET] with any number of [#DATA] and [#PROGRESS] and then one
/// [#DONE] or [#FAILED].
public enum FrameType {
  /// From the service: a statement to parse, as UTF-8.
  PARSE,
  /// From the service: a [RunRequest] that is prepared and not run.
  BIND,
  /// From the service: a [RunRequest].
  RUN,
  /// From the service: a [SheetRequest].
  SHEET,
  /// From the service, while a request runs: it ends soon, with [#FAILED]. Without a payload.
  INTERRUPT,
  /// From the worker: a [WorkerStatus].
  READY,
  /// From the worker: the syntax tree of a statement, as JSON in UTF-8.
  TREE,
  /// From the worker: the next bytes of the result: of an IPC stream, or of the text of a sheet.
  DATA,
  /// From the worker, now and then while a statement runs: [RowsRead].
  PROGRESS,
  /// From the worker: the statement is prepared, or its result is complete. Without a payload.
  DONE,
  /// From the worker: a [Failure]. The sent part of the result is void.
  FAILED;

  private static final FrameType[] TYPES = values();

  /// Returns whether this frame ends the response to a request.
  public boolean isLast() {
    return this != DATA && this != PROGRESS;
  }

  /// Returns the type with this code, or null.
  static @Nullable FrameType of(int code) {
    return code >= 0 && code < TYPES.length ? TYPES[code] : null;
  }
}
