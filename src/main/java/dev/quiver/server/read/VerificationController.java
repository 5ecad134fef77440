package dev.quiver.server.read;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.Json;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Documents;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.transfer.ResponseAdmission;
import dev.quiver.store.Datasets;
import dev.quiver.store.file.Verification;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// Checks all stored bytes of a version against their checksums. Ignores the body.
@RestController
final class VerificationController {

  private static final String DAMAGED_HINT =
      "Store the data again, or let the operator restore the blobs from a copy of the store.";

  private final Datasets datasets;
  private final ResponseAdmission admission;
  private final Limit seconds;

  VerificationController(
      Datasets datasets, ResponseAdmission admission, QuiverProperties properties) {
    this.datasets = datasets;
    this.admission = admission;
    this.seconds = properties.limits().verification();
  }

  @PostMapping(Paths.DATASET + Paths.VERIFY)
  void verify(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetReference reference = DatasetPath.parseWithoutSuffix(dataset);
    Verification.Result result;
    Cancellation cancellation = Cancellation.current();
    try (Permit _ = admission.acquireForDigest()) {
      long begun = System.nanoTime();
      result = datasets.checks().verify(reference, _ -> check(cancellation, begun));
    }
    List<Documents.Damage> damaged =
        result.damaged().stream().map(VerificationController::damage).toList();
    if (!damaged.isEmpty()) {
      DamagedBlobException first = result.damaged().getFirst();
      throw Problem.of(ProblemType.DAMAGED, String.valueOf(first.getMessage()))
          .withHint(DAMAGED_HINT)
          .with("blobs", result.blobs())
          .with("bytes", result.bytes())
          .with("damaged", damaged)
          .asException();
    }
    byte[] document =
        Json.render(new Documents.Verification(result.blobs(), result.bytes(), damaged));
    response.setContentType(Json.MEDIA_TYPE);
    response.setContentLength(document.length);
    response.getOutputStream().write(document);
  }

  private static Documents.Damage damage(DamagedBlobException damage) {
    return new Documents.Damage(damage.version(), damage.blob(), damage.byteOffset());
  }

  private void check(Cancellation cancellation, long begun) {
    cancellation.throwIfRequested();
    if (Duration.ofNanos(System.nanoTime() - begun).toSeconds() >= seconds.maximum()) {
      throw Problem.of(
              ProblemType.QUERY_TIMEOUT,
              "Expected the whole verification within %d s but found less (%s)"
                  .formatted(seconds.maximum(), seconds.name()))
          .withHint("Let the operator raise %s.".formatted(seconds.name()))
          .asException();
    }
  }
}
