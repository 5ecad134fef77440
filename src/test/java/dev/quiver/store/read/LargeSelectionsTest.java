package dev.quiver.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.blob.BlobSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Selections of rows whose batches are larger than those that are kept between the layout and the
/// writing, so that the layout has only their sizes.
@Tag("long")
class LargeSelectionsTest {

  private static final int ROWS = 400_000;

  @TempDir private static Path folder;

  private static final Schema SCHEMA =
      Schema.of(
          Field.of("id", false, new ArrowType.Int(64, true)),
          Field.of("flag", true, new ArrowType.Bool()),
          Field.of("text", true, new ArrowType.Utf8()),
          Field.of("blob", false, new ArrowType.FixedSizeBinary(60)),
          Field.of("letter", true, new ArrowType.Utf8())
              .withDictionary(new DictionaryEncoding(1, new ArrowType.Int(8, true), false)),
          Field.of(
              "pair", true, new ArrowType.Struct(), Field.of("of", true, new ArrowType.Binary())));

  private static final Schema WITH_VIEWS =
      Schema.of(
          Field.of("blob", false, new ArrowType.FixedSizeBinary(60)),
          Field.of("view", true, new ArrowType.Utf8View()));

  private static List<@Nullable Object> column(Field field, int batch) {
    ByteString blob = ByteString.of("b".repeat(field.name().equals("blob") ? 60 : 3));
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      boolean isNull = field.nullable() && batch == 0 && i % 5 == 0;
      values.add(
          isNull
              ? null
              : switch (field.name()) {
                case "id" -> i;
                case "flag" -> i % 3 == 0;
                case "letter" -> i % 2 == 0 ? "a" : "b";
                case "pair" -> i % 7 == 0 ? Arrays.asList((Object) null) : List.of(blob);
                case "blob" -> blob;
                default -> "text ".repeat(i % 4);
              });
    }
    return values;
  }

  private static byte[] stream(Schema schema) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Arena arena = Arena.ofConfined()) {
      ArrayBuilder builder = new ArrayBuilder(arena, Map.of(1L, List.of("a", "b")));
      StreamWriter writer =
          new StreamWriter(
              part -> bytes.writeBytes(part.toArray(ValueLayout.JAVA_BYTE)), schema, Codec.NONE);
      for (int i = 0; i < 2; i++) {
        int batch = i;
        writer.write(
            builder.recordBatch(
                schema, ROWS, schema.fields().stream().map(f -> column(f, batch)).toList()));
      }
      writer.close();
    }
    return bytes.toByteArray();
  }

  @Test
  void streamAndFileAreWrittenAsLaidOut() throws IOException {
    for (Schema schema : List.of(SCHEMA, WITH_VIEWS)) {
      DatasetTestFolder data =
          new DatasetTestFolder(folder.resolve(schema.fields().getLast().name()));
      data.put(stream(schema));
      try (Snapshot snapshot = data.open()) {
        assertThat(snapshot.batches(0, 1).getFirst().block().bodyLength())
            .as("a batch that is not kept")
            .isGreaterThan(16 << 20);
        RowMatches matches = matches();
        Selection selection = Selection.ALL.among(matches);
        SelectedVersion selected = snapshot.select(selection);
        SelectedBytes file = selected.file();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        file.write(
            0,
            file.byteSize(),
            BlobSink.reading(part -> bytes.writeBytes(part.toArray(ValueLayout.JAVA_BYTE))));
        assertThat(bytes.size()).isEqualTo(file.byteSize());
        data.put(bytes.toByteArray());
        try (Snapshot again = data.open();
            DecodedBatches expected = selected.decodedBatches();
            DecodedBatches found = again.decodedBatches()) {
          assertThat(again.rowsBefore(again.batchCount())).isEqualTo(matches.count());
          assertThat(found.count()).isEqualTo(2);
          for (int i = 0; i < 2; i++) {
            RecordBatch first = expected.read(i);
            RecordBatch second = found.read(i);
            assertThat(second.length()).isEqualTo(first.length());
            for (int column = 0; column < schema.fields().size(); column++) {
              assertThat(
                      Values.of(second.columns().get(column))
                          .equals(Values.of(first.columns().get(column))))
                  .as("column %d of batch %d", column, i)
                  .isTrue();
            }
          }
        }
      } finally {
        data.datasets.close();
      }
    }
  }

  private static RowMatches matches() {
    RowMatches.Builder builder = new RowMatches.Builder();
    Random random = new Random(3);
    for (int batch = 0; batch < 2; batch++) {
      builder.add(batch, random.longs(ROWS / 64).toArray(), ROWS);
    }
    return builder.build("random");
  }
}
