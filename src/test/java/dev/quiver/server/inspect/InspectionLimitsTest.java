package dev.quiver.server.inspect;

import static dev.quiver.server.inspect.InspectedInputs.stream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.arrow.type.Metadata;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Tests both sides of the limits on the memory of an inspection.
class InspectionLimitsTest {

  private static final Limit REQUEST = new Limit("request-bytes", 1L << 40);

  @TempDir private Path folder;

  /// Each byte of metadata counts as five, for the schema and the largest other message.
  @Test
  void reportsMetadataThatExceedsMemory() throws IOException {
    byte[] stream = stream(Codec.NONE, 3);
    JsonNode messages = Inspected.of(MemorySegment.ofArray(stream), folder).messages();
    long largest = 0;
    for (int i = 1; i < messages.size(); i++) {
      largest = Math.max(largest, messages.get(i).get("metadataLength").longValue());
    }
    long needed = 5 * (messages.get(0).get("metadataLength").longValue() + largest);
    InFlightBytes enough = new InFlightBytes(needed);
    assertThat(findings(stream, enough)).isEmpty();
    assertThat(enough.taken()).isZero();

    InFlightBytes tooFew = new InFlightBytes(needed - 1);
    assertThat(findings(stream, tooFew))
        .singleElement()
        .asString()
        .startsWith(
            "warning too-large: Expected at most %d bytes in flight (in-flight-bytes) but found %d at message "
                .formatted(needed - 1, needed));
    assertThat(tooFew.taken()).isZero();
  }

  @Test
  void reportsFileMetadataThatExceedsMemory() throws IOException {
    byte[] file = file();
    InFlightBytes enough = new InFlightBytes(5L * file.length);
    assertThat(findings(file, enough)).isEmpty();
    assertThat(enough.taken()).isZero();

    InFlightBytes tooFew = new InFlightBytes(100);
    assertThat(findings(file, tooFew))
        .first()
        .asString()
        .startsWith(
            "warning too-large: Expected at most 100 bytes in flight (in-flight-bytes) but found ");
    assertThat(tooFew.taken()).isZero();
  }

  @Test
  void inspectionMayBeRetriedIfOthersOccupyTheMemory() throws IOException {
    byte[] stream = stream(Codec.NONE, 3);
    InFlightBytes shared = new InFlightBytes(1 << 20);
    try (InFlightBytes.Charge others = shared.open()) {
      others.take(1 << 20, InputLocation.UNKNOWN);
      assertThatThrownBy(() -> findings(stream, shared)).isInstanceOf(OverloadedException.class);
      assertThat(shared.taken()).isEqualTo(1 << 20);
    }
    assertThat(findings(stream, shared)).isEmpty();
  }

  @Test
  void fileIsNotLeftMappedIfOthersOccupyTheMemory() throws IOException {
    byte[] file = file();
    InFlightBytes shared = new InFlightBytes(1 << 20);
    try (InFlightBytes.Charge others = shared.open()) {
      others.take(1 << 20, InputLocation.UNKNOWN);
      long mapped = mappedFiles();
      assertThatThrownBy(() -> findings(file, shared)).isInstanceOf(OverloadedException.class);
      assertThat(mappedFiles()).isLessThanOrEqualTo(mapped);
    }
    assertThat(findings(file, shared)).isEmpty();
  }

  private static long mappedFiles() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("mapped"))
        .mapToLong(BufferPoolMXBean::getCount)
        .sum();
  }

  private static byte[] file() throws IOException {
    Bytes bytes = new Bytes();
    FileWriter writer = new FileWriter(bytes, InspectedInputs.SCHEMA, Codec.NONE);
    writer.write(InspectedInputs.batch(InspectedInputs.builder(), 3));
    writer.close(Metadata.EMPTY);
    return bytes.toByteArray();
  }

  private List<String> findings(byte[] input, InFlightBytes inFlight) throws IOException {
    InspectOptions options = Inspected.options(Limits.DEFAULT, REQUEST, 1 << 20, folder, inFlight);
    return Inspected.of(ByteSource.of(MemorySegment.ofArray(input)), options).findings();
  }
}
