package dev.quiver.server.transfer;

import dev.quiver.store.blob.KeptFile;
import dev.quiver.store.blob.SpooledFile;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The file of one response, if it has one, which stays until this is closed. Used by one thread.
public final class FileBody implements AutoCloseable {

  private @Nullable KeptFile kept;
  private @Nullable SpooledFile own;

  /// Returns a source of the bytes of a file that other requests may use.
  ///
  /// @param opening waits until the file is written
  public BodySource kept(BodySource.IoSupplier<KeptFile> opening) {
    return new BodySource.Kept(() -> FixedLengthBody.of(use(opening.get())));
  }

  /// Returns a source of some of the bytes of a file that other requests may use.
  ///
  /// @param opening waits until the file is written
  /// @param part selects the bytes
  BodySource kept(BodySource.IoSupplier<KeptFile> opening, Part part) {
    return new BodySource.Kept(() -> FixedLengthBody.of(part.of(use(opening.get()))));
  }

  /// Selects bytes of a file.
  @FunctionalInterface
  interface Part {

    BodyPart of(BodyPart whole) throws IOException;
  }

  /// Returns a source of a text that may be kept as a file.
  ///
  /// @param streamed the text, rendered while it is sent
  /// @param present returns the file if it is kept, or null
  /// @param opening waits until the file is written
  public BodySource text(
      StreamingBody streamed,
      Supplier<@Nullable KeptFile> present,
      BodySource.IoSupplier<KeptFile> opening) {
    return new BodySource.Text(
        streamed,
        () -> {
          KeptFile found = present.get();
          return found == null ? null : FixedLengthBody.of(use(found));
        },
        () -> FixedLengthBody.of(use(opening.get())));
  }

  private BodyPart use(KeptFile opened) throws IOException {
    close();
    kept = opened;
    return new BodyPart.Range(opened::write, 0, opened.byteSize());
  }

  /// Returns the bytes of a file of this response alone.
  public FixedLengthBody own(SpooledFile written) throws IOException {
    return own(written, whole -> whole);
  }

  /// Returns some of the bytes of a file of this response alone.
  ///
  /// @param part selects the bytes
  FixedLengthBody own(SpooledFile written, Part part) throws IOException {
    close();
    own = written;
    return FixedLengthBody.of(part.of(new BodyPart.Range(written::write, 0, written.byteSize())));
  }

  @Override
  public void close() throws IOException {
    try (KeptFile _ = kept;
        SpooledFile _ = own) {
      kept = null;
      own = null;
    }
  }
}
