package dev.quiver.server.inspect;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.SniffedBody;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.LimitedSource;
import dev.quiver.arrow.metadata.CompressionType;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.ScratchMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/// An inspector that reports every message of a stream or file: its framing, metadata, buffer
/// positions and defects.
///
/// It continues where a reader would stop. Defects become findings of the report, and messages are
/// reported as long as the next one can be found. A stream is inspected as it arrives, a file
/// through its footer once complete. Only the report remains afterwards.
public final class Inspector {

  /// The reciprocal of the report's share that is reserved for findings, so messages cannot crowd
  /// them out.
  private static final long FINDINGS_SHARE = 4;

  private final InspectOptions options;
  private final ReportSpool messages;
  private final ReportSpool details;
  private final ReportSpool findingSpool;
  private final FindingLog findings;
  private final Totals totals;
  private long position;

  private Inspector(InspectOptions options, ScratchMemory memory) {
    this.options = options;
    long maximum = options.reportBytes().maximum();
    long ofFindings = maximum / FINDINGS_SHARE;
    ReportBudget budget = new ReportBudget(maximum - ofFindings);
    this.messages = new ReportSpool(memory, budget);
    this.details = new ReportSpool(memory, budget);
    this.findingSpool = new ReportSpool(memory, new ReportBudget(ofFindings));
    this.findings = new FindingLog(findingSpool);
    this.totals = new Totals(options.limits().fields().maximum());
  }

  /// Inspects an input.
  ///
  /// @param declared the declared format, used only if the bytes are ambiguous
  /// @throws dev.quiver.arrow.ipc.UnsupportedFormatException if the input is neither a stream nor a
  ///   file
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if it exceeds the maximum request size
  /// @throws java.io.UncheckedIOException if working memory must move to a file and that fails
  public static Report inspect(ByteSource input, BodyFormat declared, InspectOptions options)
      throws IOException {
    ScratchMemory memory = new ScratchMemory(options.scratchFolder());
    try {
      return new Report(memory, new Inspector(options, memory).run(input, declared, memory));
    } catch (IOException | RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  private List<MemorySegment> run(ByteSource input, BodyFormat declared, ScratchMemory memory)
      throws IOException {
    ByteSource limited = new LimitedSource(input, options.requestBytes(), "bytes in a request");
    SniffedBody sniffed = SniffedBody.of(limited, declared, options.limits());
    ByteSource source = counted(sniffed.source());
    boolean isFile = sniffed.format() == BodyFormat.FILE;
    try (InFlightBytes.Charge charge = options.inFlight().open();
        MessageInspection inspecting = new MessageInspection(options, findings, isFile)) {
      Inspection inspection = new Inspection(messages, findings, totals, inspecting);
      if (isFile) {
        try (Arena arena = Arena.ofConfined()) {
          FileInspection file = new FileInspection(source, options, inspection, charge, arena);
          file.run();
          details.add(file::write);
        }
      } else {
        try (StreamInspection stream = new StreamInspection(source, options, inspection, charge)) {
          stream.run();
          details.add(json -> {
            json.writeStartObject();
            stream.writeEnd(json);
            json.writeEndObject();
          });
        }
      }
    }
    return parts(sniffed.format(), memory);
  }

  private ByteSource counted(ByteSource source) {
    return destination -> {
      long count = source.read(destination);
      position += Math.max(count, 0);
      return count;
    };
  }

  private List<MemorySegment> parts(BodyFormat format, ScratchMemory memory) {
    ReportSpool summary = new ReportSpool(memory, new ReportBudget(Long.MAX_VALUE));
    summary.add(json -> writeSummary(json, format));
    List<MemorySegment> parts = new ArrayList<>();
    parts.add(ascii("{\"summary\":"));
    parts.addAll(summary.parts());
    if (details.omitted() == 0) {
      parts.add(ascii(",\n\"" + (format == BodyFormat.FILE ? "file" : "stream") + "\":"));
      parts.addAll(details.parts());
    }
    parts.add(ascii(",\n\"findings\":[\n"));
    parts.addAll(findingSpool.parts());
    parts.add(ascii("\n],\n\"messages\":[\n"));
    parts.addAll(messages.parts());
    parts.add(ascii("\n]}\n"));
    return parts;
  }

  private void writeSummary(JsonGenerator json, BodyFormat format) {
    json.writeStartObject();
    json.writeStringProperty("format", format.name().toLowerCase(Locale.ROOT));
    json.writeNumberProperty("bytes", position);
    json.writeNumberProperty("messages", totals.messages());
    json.writeNumberProperty("batches", totals.batches());
    json.writeNumberProperty("rows", totals.rows());
    json.writeNumberProperty("dictionaries", totals.dictionaries());
    writeTexts(json, "codecs", totals.codecs().stream().map(CompressionType::name).toList());
    json.writeNumberProperty("errors", findings.count(Severity.ERROR));
    json.writeNumberProperty("warnings", findings.count(Severity.WARNING));
    json.writeNumberProperty("notes", findings.count(Severity.NOTE));
    json.writeObjectPropertyStart("findings");
    findings.counts().forEach((kind, count) -> json.writeNumberProperty(kind.toString(), count));
    json.writeEndObject();
    json.writeBooleanProperty("acceptable", findings.isAcceptable());
    writeTexts(json, "changes", findings.changes());
    writeTruncated(json);
    json.writeEndObject();
  }

  private void writeTruncated(JsonGenerator json) {
    if (messages.omitted() + details.omitted() + findingSpool.omitted() > 0) {
      json.writeObjectPropertyStart("truncated");
      json.writeStringProperty("key", options.reportBytes().name());
      json.writeNumberProperty("maximum", options.reportBytes().maximum());
      json.writeNumberProperty("messages", messages.omitted());
      json.writeNumberProperty("findings", findingSpool.omitted());
      json.writeEndObject();
    }
  }

  private static void writeTexts(JsonGenerator json, String name, List<String> texts) {
    json.writeArrayPropertyStart(name);
    texts.forEach(json::writeString);
    json.writeEndArray();
  }

  private static MemorySegment ascii(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.US_ASCII));
  }
}
