package dev.quiver.server.read;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.server.transfer.ResponseAdmission;
import dev.quiver.store.blob.KeptFile;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.blob.SpooledFile;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Rows as files of text, which are written when a HEAD or a range needs them, and kept for later
/// requests. Shared by threads.
///
/// Texts are identified by their entity tags, so that a file never becomes stale.
public final class TextFiles {

  private final Limit text;
  private final Limit arrow;
  private final Spool spool;
  private final ResponseAdmission admission;
  private final LongAdder written = new LongAdder();

  /// @param text the limit on the bytes of a text
  /// @param arrow the limit on the bytes of Arrow data beyond which a text has no file
  public TextFiles(Limit text, Limit arrow, Spool spool, ResponseAdmission admission) {
    this.text = text;
    this.arrow = arrow;
    this.spool = spool;
    this.admission = admission;
  }

  /// Returns the limit on the bytes of a text.
  Limit text() {
    return text;
  }

  /// Returns the limit on the bytes of Arrow data beyond which a text has no file.
  Limit arrow() {
    return arrow;
  }

  /// Returns the file of a text, or null if it is not kept or the client's files in use exceed its
  /// share. The file stays until the result is closed.
  @Nullable KeptFile find(String tag) {
    try {
      return spool.kept().find(tag);
    } catch (OverloadedException e) {
      return null;
    }
  }

  /// Returns the file of a text, which is written unless it is kept. It stays until the result is
  /// closed.
  ///
  /// @throws dev.quiver.arrow.parallel.CancelledException if this request does not want the file
  ///   anymore
  KeptFile open(String tag, RowsBody rows) throws IOException {
    return spool.kept().open(tag, () -> write(rows));
  }

  private SpooledFile write(RowsBody rows) throws IOException {
    try (Permit _ = admission.acquireForFile(rows.isSmall())) {
      Cancellation cancellation = Cancellation.current();
      SpooledFile file =
          SpooledFile.written(
              sink ->
                  rows.write(bytes -> {
                    cancellation.throwIfRequested();
                    sink.write(bytes);
                  }),
              spool);
      written.increment();
      return file;
    }
  }

  /// Returns the number of files written.
  public long writtenCount() {
    return written.sum();
  }
}
