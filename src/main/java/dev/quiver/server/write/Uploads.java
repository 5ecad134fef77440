package dev.quiver.server.write;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InFlightBytes;
import dev.quiver.server.access.InteropRequest;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.IdempotencyKeyHeader;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.resource.Documents;
import dev.quiver.server.transfer.DecodedRequestBody;
import dev.quiver.sql.execution.SpooledFile;
import dev.quiver.store.Datasets;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.UploadOptions;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Stores the data of a request, whose response is the new version, or a job that goes on.
@Component
final class Uploads {

  private final Datasets datasets;
  private final UploadJobs jobs;
  private final WriteResponse writeResponse;
  private final RequestLimits limits;
  private final InFlightBytes inFlight;
  private final ArrowBodies bodies;

  Uploads(
      Datasets datasets,
      UploadJobs jobs,
      WriteResponse writeResponse,
      QuiverProperties properties,
      InFlightBytes inFlight,
      ArrowBodies bodies) {
    this.datasets = datasets;
    this.jobs = jobs;
    this.writeResponse = writeResponse;
    this.limits = properties.limits();
    this.inFlight = inFlight;
    this.bodies = bodies;
  }

  /// Receives a body that is the data.
  void receive(
      HttpServletRequest request, HttpServletResponse response, Upload upload, UploadFormat format)
      throws IOException {
    if (UploadCheck.isWanted(request)) {
      upload.checked(datasets);
      UploadCheck.pass(request);
      return;
    }
    requireKnown(request, upload);
    if (UploadJobs.arePreferredBy(request) && !upload.isRepeated(datasets)) {
      jobs.receive(request, response, upload, format, responses(request, response));
      return;
    }
    try (DecodedRequestBody body = DecodedRequestBody.of(request, limits, inFlight);
        ArrowBody data = bodies.of(request, body, format)) {
      UploadOptions described = data.described(upload.options(), body::sha256);
      WriteResult result = upload.write(datasets, data, described);
      writeResponse.send(request, response, body, result, data);
    }
  }

  /// Receives a form that has the data in a part.
  void receiveForm(
      HttpServletRequest request,
      HttpServletResponse response,
      Boundary boundary,
      UploadOptions options,
      @Nullable IdempotencyKey key)
      throws IOException {
    if (UploadCheck.isWanted(request)) {
      UploadCheck.pass(request);
      return;
    }
    requireKnown(request, Upload.unnamed(options, key));
    if (UploadJobs.arePreferredBy(request) && !Upload.unnamed(options, key).isRepeated(datasets)) {
      jobs.receiveForm(
          request,
          response,
          options,
          key,
          body -> form(body, boundary, request),
          responses(request, response));
      return;
    }
    try (DecodedRequestBody body = DecodedRequestBody.of(request, limits, inFlight);
        FormUpload form = form(body, boundary, request)) {
      WriteResult result = form.create(options, key);
      writeResponse.send(request, response, body, result, form.data());
    }
  }

  /// Rejects an upload that may have happened and been forgotten, which would happen twice.
  private void requireKnown(HttpServletRequest request, Upload upload) throws IOException {
    DatasetName target = upload.target();
    if (request.getAttribute(IdempotencyKeyHeader.TRIED_ATTRIBUTE) instanceof Instant since
        && target != null
        && !upload.isRepeated(datasets)
        && datasets.mayHaveForgotten(target, since)) {
      throw Problem.of(
              ProblemType.CONFLICT,
              "Expected an upload whose outcome is known but found one that may have been stored"
                  + " before %s was deleted or written many times".formatted(target))
          .asException();
    }
  }

  private UploadResponses responses(HttpServletRequest request, HttpServletResponse response) {
    return new UploadResponses() {
      @Override
      public void repeat(DecodedRequestBody body, FormUpload.Received received) throws IOException {
        Upload upload = received.upload();
        try (SpooledFile.Content content = received.data().open();
            ArrowBody data = bodies.of(request, content, received.format())) {
          // Nothing of the data is read.
          WriteResult result = upload.write(datasets, data, upload.options());
          writeResponse.send(request, response, body, result, data);
        }
      }

      @Override
      public void send(WriteResult result, Documents.Version document) throws IOException {
        writeResponse.send(response, result, document);
      }
    };
  }

  private FormUpload form(ByteSource body, Boundary boundary, HttpServletRequest request) {
    return new FormUpload(
        datasets,
        new FormParts(body, boundary, limits.form()),
        InteropRequest.dataset(request),
        bodies,
        request);
  }
}
