package dev.quiver.web.response;

import dev.quiver.query.execution.KeptFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The kept file of one response, if it has one, which stays in use until this is closed. Used by
/// one thread.
public final class KeptBody implements AutoCloseable {

  private @Nullable KeptFile file;

  /// Returns a source of the bytes of a file.
  ///
  /// @param opening waits until the file is written
  public BodySource of(BodySource.IoSupplier<KeptFile> opening) {
    return new BodySource.Kept(() -> open(opening));
  }

  private FixedLengthBody open(BodySource.IoSupplier<KeptFile> opening) throws IOException {
    KeptFile opened = opening.get();
    close();
    file = opened;
    return FixedLengthBody.of(new BodyPart.Range(opened::write, 0, opened.byteSize()));
  }

  @Override
  public void close() {
    if (file != null) {
      file.close();
      file = null;
    }
  }
}
