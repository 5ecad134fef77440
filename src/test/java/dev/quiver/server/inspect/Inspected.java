package dev.quiver.server.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.parallel.InFlightBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A report in a form for assertions.
public record Inspected(JsonNode report, int byteSize) {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Limit REQUEST = new Limit("request-bytes", 1L << 40);

  /// Inspects an input with the default limits and asserts that `folder` is empty afterwards.
  public static Inspected of(MemorySegment input, Path folder) throws IOException {
    return of(ByteSource.of(input), options(folder, Limits.DEFAULT, 64 << 20));
  }

  static InspectOptions options(Path folder, Limits limits, long reportBytes) {
    return options(limits, REQUEST, reportBytes, folder);
  }

  static InspectOptions options(Limits limits, Limit request, long reportBytes, Path folder) {
    return options(limits, request, reportBytes, folder, new InFlightBytes(0));
  }

  static InspectOptions options(
      Limits limits, Limit request, long reportBytes, Path folder, InFlightBytes inFlight) {
    return new InspectOptions(
        limits,
        request,
        new Limit("report-bytes", reportBytes),
        new Limit("upload-dictionary-bytes", 4L << 30),
        8 << 20,
        folder,
        inFlight);
  }

  static Inspected of(ByteSource input, InspectOptions options) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Report report = Inspector.inspect(input, BodyFormat.UNKNOWN, options)) {
      for (MemorySegment part : report.parts()) {
        bytes.writeBytes(part.toArray(LittleEndian.INT8));
      }
    } finally {
      try (var left = Files.list(options.scratchFolder())) {
        assertThat(left).isEmpty();
      }
    }
    return new Inspected(JSON.readTree(bytes.toByteArray()), bytes.size());
  }

  public JsonNode summary() {
    return report.get("summary");
  }

  public JsonNode messages() {
    return report.get("messages");
  }

  /// Returns the findings as `severity kind: sentence`.
  public List<String> findings() {
    List<String> findings = new ArrayList<>();
    for (JsonNode finding : report.get("findings")) {
      findings.add(
          "%s %s: %s"
              .formatted(
                  finding.get("severity").asString(),
                  finding.get("kind").asString(),
                  finding.get("sentence").asString()));
    }
    return findings;
  }

  /// Returns the types of the messages.
  public List<String> types() {
    List<String> types = new ArrayList<>();
    messages().forEach(message -> types.add(message.get("type").asString()));
    return types;
  }
}
