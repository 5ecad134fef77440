package dev.quiver.store.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.RequestedCodec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.formats.BatchStream;
import dev.quiver.formats.FileBatchReader;
import dev.quiver.formats.UploadData;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Batches that are stored from the memory of their reader, against the stream of the same batches.
class BatchesUploadTest {

  private static final Schema TEXT = Schema.of(Field.of("text", true, new ArrowType.Utf8()));

  @TempDir private Path folder;

  /// The rows of a batch.
  private record Rows(
      int length,
      List<List<@Nullable Object>> columns,
      Map<Long, List<@Nullable Object>> dictionaries) {

    RecordBatch batch(Schema schema, Arena arena) {
      return new ArrayBuilder(arena, dictionaries).recordBatch(schema, length, columns);
    }
  }

  /// A reader whose batches vanish when the next one is read.
  private static class Reader implements FileBatchReader {

    private final Schema schema;
    private final List<Rows> rows;
    private Arena arena = Arena.ofConfined();
    private int index;

    Reader(Schema schema, List<Rows> rows) {
      this.schema = schema;
      this.rows = rows;
    }

    /// @param valid whether it is said to make valid batches
    UploadData data(boolean valid) throws IOException {
      return new UploadData.Batches(
          new BatchStream(schema, this, valid, _ -> {}, this::close), Long.MAX_VALUE);
    }

    @Override
    public @Nullable RecordBatch next() {
      close();
      arena = Arena.ofConfined();
      return index == rows.size() ? null : rows.get(index++).batch(schema, arena);
    }

    @Override
    public void close() {
      if (arena.scope().isAlive()) {
        arena.close();
      }
    }
  }

  /// Returns the stored file, the warnings and the statistics, or the message of the error.
  private Object stored(DatasetTestFolder data, UploadData.Source source, UploadOptions options)
      throws IOException {
    try {
      WriteResult result =
          data.datasets.put(
              DatasetTestFolder.NAME, source, new WriteCondition.None(), options, /* key= */ null);
      List<Object> stored = new ArrayList<>();
      stored.add(ByteBuffer.wrap(data.file()));
      stored.add(result.warnings());
      try (Snapshot snapshot = data.open()) {
        for (int i = 0; i < snapshot.batchCount(); i++) {
          stored.add(Optional.ofNullable(snapshot.statistics(i)));
        }
      }
      return stored;
    } catch (InputException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static byte[] stream(Schema schema, List<Rows> rows) throws IOException {
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, schema, Codec.NONE);
    for (Rows batch : rows) {
      try (Arena arena = Arena.ofConfined()) {
        writer.write(batch.batch(schema, arena));
      }
    }
    writer.close();
    return bytes.toByteArray();
  }

  private void assertStoredAlike(DatasetTestFolder data, Schema schema, List<Rows> rows, String as)
      throws IOException {
    byte[] stream = stream(schema, rows);
    for (UploadOptions options :
        List.of(
            UploadOptions.DEFAULT,
            UploadOptions.KEEP,
            new UploadOptions(
                UploadOptions.BatchSizes.OPTIMIZED, new RequestedCodec(Codec.ZSTD)))) {
      Object expected =
          stored(
              data,
              UploadData.Source.of(new Bytes().bytes(stream).source(), BodyFormat.STREAM),
              options);
      // Rows with warnings are not valid at the highest level.
      boolean warned = expected instanceof List<?> list && !List.of().equals(list.get(1));
      for (boolean valid : warned ? new boolean[] {false} : new boolean[] {false, true}) {
        try (Reader reader = new Reader(schema, rows)) {
          assertThat(stored(data, () -> reader.data(valid), options))
              .as("%s, valid %b, %s", as, valid, options.batches())
              .isEqualTo(expected);
        }
      }
    }
  }

  /// Dictionaries of different batches have their values in different orders.
  @Tag("random")
  @Test
  void storesRandomBatchesAsTheirStream() throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder);
    for (int seed : Trials.seeds(300)) {
      RandomData random = new RandomData(seed);
      Random lengths = new Random(seed);
      Schema schema = random.schema(3);
      List<Rows> rows = new ArrayList<>();
      for (int i = lengths.nextInt(5); i > 0; i--) {
        // Some batches are too large to be combined with others.
        int length = lengths.nextInt(4) == 0 ? 5_000 : lengths.nextInt(30);
        List<List<@Nullable Object>> columns = new ArrayList<>();
        schema.fields().forEach(field -> columns.add(random.values(field, length)));
        Map<Long, List<@Nullable Object>> dictionaries = new HashMap<>();
        random
            .dictionaries()
            .forEach((id, values) -> {
              List<@Nullable Object> shuffled = new ArrayList<>(values);
              if (lengths.nextBoolean()) {
                Collections.shuffle(shuffled, lengths);
              }
              dictionaries.put(id, shuffled);
            });
        rows.add(new Rows(length, columns, dictionaries));
      }
      assertStoredAlike(data, schema, rows, "seed " + seed);
    }
  }

  private static Rows texts(int length, int byteSize) {
    List<@Nullable Object> texts = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      texts.add(Integer.toString(i % 10).repeat(byteSize));
    }
    return new Rows(length, List.of(texts), Map.of());
  }

  @Test
  void splitsALargeBatch() throws IOException {
    List<Rows> rows = List.of(texts(3, 10), texts(1_000, 70_000), texts(2, 10));
    assertStoredAlike(new DatasetTestFolder(folder), TEXT, rows, "large");
  }

  @Test
  void countsTheBytesOfAllMessages() throws IOException {
    List<Rows> rows = List.of(texts(1_000, 100), texts(1_000, 100));
    int byteSize = stream(TEXT, rows).length;
    for (int missing : new int[] {0, 1}) {
      DatasetTestFolder data =
          new DatasetTestFolder(
              folder.resolve("missing-" + missing),
              new DatasetOptions(Limits.DEFAULT, new Limit("request-bytes", byteSize - missing)));
      try (Reader reader = new Reader(TEXT, rows)) {
        Object stored = stored(data, () -> reader.data(true), UploadOptions.DEFAULT);
        if (missing == 0) {
          assertThat(stored).isInstanceOf(List.class);
        } else {
          assertThat(stored).asString().contains("bytes in a request").contains("request-bytes");
        }
      }
    }
  }

  @Test
  void rejectsInvalidBatches() throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder);
    for (int length : new int[] {10, 100_000}) {
      try (Reader reader =
          new Reader(TEXT, List.of(texts(length, 1))) {
            @Override
            public @Nullable RecordBatch next() {
              RecordBatch batch = super.next();
              if (batch != null) {
                ArrayData texts = batch.columns().getFirst();
                MemorySegment bytes = texts.buffers().getLast();
                bytes.set(ValueLayout.JAVA_BYTE, length / 2, (byte) 0xFF);
              }
              return batch;
            }
          }) {
        assertThatThrownBy(() ->
                data.datasets.put(
                    DatasetTestFolder.NAME,
                    () -> reader.data(false),
                    new WriteCondition.None(),
                    UploadOptions.DEFAULT,
                    /* key= */ null))
            .isInstanceOf(InvalidDataException.class)
            .hasMessageContaining("UTF-8");
      }
    }
    data.assertEmpty();
  }
}
