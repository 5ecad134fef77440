package dev.quiver.web;

import dev.quiver.dataset.DatasetName;
import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.Snapshot;
import dev.quiver.dataset.UploadOptions;
import dev.quiver.dataset.WriteCondition;
import dev.quiver.ipc.BodyFormat;
import dev.quiver.memory.Limit;
import dev.quiver.render.Numbers;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// One dataset: its data, whole or by range; put and deleted under conditions.
@RestController
@RequestMapping("/datasets/{dataset}")
final class DatasetController {

  /// In the order of preference: a stream is what a client that says nothing can start to read.
  private static final List<DatasetFormat> NEGOTIATED =
      List.of(
          StoredFormat.STREAM,
          StoredFormat.FILE,
          RowsFormat.JSON,
          RowsFormat.JSON_LINES,
          RowsFormat.CSV);

  private final Datasets datasets;
  private final Responder responder;
  private final WriteAnswer answer;
  private final QuiverProperties.RequestLimits limits;
  private final Limit renderedBytes;

  DatasetController(
      Datasets datasets, Responder responder, WriteAnswer answer, QuiverProperties properties) {
    this.datasets = datasets;
    this.responder = responder;
    this.answer = answer;
    this.limits = properties.limits();
    this.renderedBytes = limits.rendered();
  }

  @GetMapping
  void get(@PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetPath path = DatasetPath.parse(dataset);
    try (Snapshot snapshot = datasets.open(path.reference())) {
      DatasetFormat format = path.format();
      if (format == null) {
        response.addHeader("Vary", "Accept");
        format = Negotiation.choose(request, NEGOTIATED, DatasetFormat::mediaType);
      }
      Versions versions = new Versions(path.reference(), snapshot);
      responder.send(
          request,
          response,
          switch (format) {
            case StoredFormat arrow -> versions.arrow(arrow, CodecParameter.of(request));
            case RowsFormat rows -> {
              CodecParameter.refuseForText(request);
              yield versions.rows(rows, numbers(request), renderedBytes);
            }
          });
    }
  }

  private static Numbers numbers(HttpServletRequest request) {
    return Parameters.choice(request, "numbers", Numbers.class, Numbers.NUMBER);
  }

  @PutMapping
  void put(@PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetName name = DatasetPath.parseForWrite(dataset, request.getMethod());
    BodyFormat format = UploadFormat.of(request);
    UploadOptions wanted = UploadParameters.of(request);
    try (UploadBody body = UploadBody.of(request, limits)) {
      WriteCondition condition = WriteConditions.of(request, datasets, name);
      datasets.check(name, condition);
      answer.send(response, datasets.put(name, body, format, condition, wanted));
    }
  }

  @DeleteMapping
  void delete(
      @PathVariable String dataset, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    DatasetName name = DatasetPath.parseForWrite(dataset, request.getMethod());
    datasets.delete(name, WriteConditions.of(request, datasets, name));
    response.setStatus(HttpServletResponse.SC_NO_CONTENT);
  }
}
