package dev.quiver.fuzz;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.server.inspect.InspectOptions;
import dev.quiver.server.inspect.Inspector;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// A fuzz target that inspects a stream or file. Every input must yield a report or a proper
/// rejection.
public final class InspectTarget {

  private static final InspectOptions OPTIONS =
      new InspectOptions(
          Limits.DEFAULT,
          new Limit("request-bytes", 1L << 40),
          new Limit("report-bytes", 1 << 20),
          new Limit("upload-dictionary-bytes", 4L << 30),
          8 << 20,
          Path.of(System.getProperty("java.io.tmpdir")),
          new InFlightBytes(0));

  private InspectTarget() {}

  public static void fuzzerTestOneInput(byte[] input) {
    ByteSource source = ByteSource.of(MemorySegment.ofArray(input).asReadOnly());
    Rejections.allow(() -> Inspector.inspect(source, BodyFormat.UNKNOWN, OPTIONS).close());
  }
}
