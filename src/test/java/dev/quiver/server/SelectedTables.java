package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/// Tables to select columns and rows from, in several codecs, and what a client receives of them.
abstract class SelectedTables extends RunningService {

  static final String FILE = "application/vnd.apache.arrow.file";

  static final int LARGE = 200_000;

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/table-plain").statusCode() == 404) {
      put("/datasets/table-plain?batches=keep", Streams.table(Codec.NONE, 30, 0, 50, 20));
      put("/datasets/table-zstd?batches=keep", Streams.table(Codec.ZSTD, 30, 0, 50, 20));
      put("/datasets/table-lz4?batches=keep", Streams.table(Codec.LZ4, 30, 0, 50, 20));
      put(
          "/datasets/table-mixed?batches=keep",
          Streams.inCodecs(100, Codec.NONE, Codec.ZSTD, Codec.LZ4));
      put("/datasets/table-large?batches=keep", Streams.numbers(0, LARGE, LARGE));
    }
  }

  /// A received table: its schema, the length of each batch, and the values of the column `number`.
  record Table(Schema schema, List<Long> batchRows, List<@Nullable Object> numbers) {

    static Table of(HttpResponse<byte[]> response) throws IOException {
      assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
      List<Long> rows = new ArrayList<>();
      List<@Nullable Object> numbers = new ArrayList<>();
      MemorySegment bytes = MemorySegment.ofArray(response.body());
      if (header(response, "Content-Type").equals(FILE)) {
        try (Arena arena = Arena.ofConfined()) {
          FileReader reader = new FileReader(bytes, Limits.DEFAULT, arena);
          for (int i = 0; i < reader.batchCount(); i++) {
            add(reader.batch(i), rows, numbers);
          }
          return new Table(reader.schema(), rows, numbers);
        }
      }
      try (StreamReader reader = new StreamReader(ByteSource.of(bytes), Limits.DEFAULT)) {
        for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
          add(batch, rows, numbers);
        }
        return new Table(reader.schema(), rows, numbers);
      }
    }

    private static void add(RecordBatch batch, List<Long> rows, List<@Nullable Object> numbers) {
      rows.add(batch.length());
      for (int i = 0; i < batch.columns().size(); i++) {
        if (batch.schema().fields().get(i).name().equals("number")) {
          numbers.addAll(Values.of(batch.columns().get(i)));
        }
      }
    }

    String columns() {
      return String.join(" ", schema.fields().stream().map(Field::toString).toList());
    }
  }

  static List<@Nullable Object> range(long from, long to) {
    return new ArrayList<>(LongStream.range(from, to).boxed().toList());
  }
}
