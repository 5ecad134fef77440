package dev.quiver.server.admin;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.store.Datasets;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.PreconditionFailedException;
import dev.quiver.store.version.WriteCondition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;

/// Writes the dataset `sample` before the first request if the store was never written to, unless
/// `quiver.sample` is false.
@Component
public final class SampleDataset implements SmartInitializingSingleton {

  static final DatasetName NAME = DatasetName.parseNew("sample");

  private final Datasets datasets;
  private final boolean enabled;

  SampleDataset(Datasets datasets, QuiverProperties properties) {
    this.datasets = datasets;
    this.enabled = properties.sample();
  }

  @Override
  public void afterSingletonsInstantiated() {
    try {
      if (enabled && datasets.isEmpty()) {
        ByteSource stream = ByteSource.of(MemorySegment.ofArray(stream()));
        datasets.put(NAME, stream, BodyFormat.STREAM, new WriteCondition.IfAbsent());
      }
    } catch (PreconditionFailedException e) {
      // Another process that shares the store was faster.
    } catch (IOException e) {
      throw new UncheckedIOException("The dataset `" + NAME.value() + "` cannot be written", e);
    }
  }

  private static byte[] stream() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Arena arena = Arena.ofConfined()) {
      StreamWriter writer =
          new StreamWriter(
              segment -> bytes.writeBytes(segment.toArray(ValueLayout.JAVA_BYTE)),
              SampleFlights.SCHEMA,
              Codec.NONE);
      for (RecordBatch batch : SampleFlights.batches(arena)) {
        writer.write(batch);
      }
      writer.close();
    }
    return bytes.toByteArray();
  }
}
