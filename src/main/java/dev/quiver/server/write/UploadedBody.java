package dev.quiver.server.write;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.store.blob.FailureLog;
import dev.quiver.store.log.DamagedPartException;
import dev.quiver.store.log.PartsSource;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;

/// The parts of an upload as one body. Errors are problems, as an [IOException] would be an error
/// of the new version.
final class UploadedBody implements ByteSource {

  private static final Logger LOG = System.getLogger(UploadedBody.class.getName());

  private final PartsSource parts;
  private boolean damaged;

  UploadedBody(PartsSource parts) {
    this.parts = parts;
  }

  /// Returns whether a read has found other bytes than those that arrived.
  boolean isDamaged() {
    return damaged;
  }

  /// @throws dev.quiver.server.http.ProblemException 500 if a part is damaged, 503 if it cannot be
  ///   read
  @Override
  public long read(MemorySegment destination) {
    try {
      return parts.read(destination);
    } catch (DamagedPartException e) {
      damaged = true;
      LOG.log(Level.ERROR, "An upload cannot be stored", e);
      throw Problem.of(ProblemType.DAMAGED, String.valueOf(e.getMessage()))
          .withHint("Begin the upload again.")
          .with("blob", e.blob())
          .asException();
    } catch (IOException e) {
      // The store has failed, not the client; or another service has stored the upload meanwhile.
      FailureLog.log(LOG, Level.WARNING, "The parts of an upload cannot be read", e);
      throw Problem.of(
              ProblemType.STORE_UNAVAILABLE,
              "Expected the parts of the upload but found that they cannot be read now")
          .withHint(Problem.RETRY_HINT)
          .withHeader("Retry-After", "1")
          .asException();
    }
  }
}
