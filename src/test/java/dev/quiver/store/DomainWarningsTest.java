package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Rule;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.Warnings;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Data that violates only rules of the last level, which is stored with a warning.
class DomainWarningsTest {

  private static final ArrowType DATE = new ArrowType.Date(DateUnit.MILLISECOND);
  private static final long DAY = 86_400_000;
  private static final String WHOLE_DAYS =
      "Expected whole days, a multiple of 86400000, but found ";

  @TempDir private Path folder;
  private DatasetTestFolder data;

  @BeforeEach
  void open() throws IOException {
    data = new DatasetTestFolder(folder);
  }

  private WriteResult put(Bytes stream) throws IOException {
    return data.datasets.put(
        DatasetTestFolder.NAME,
        ByteSource.of(MemorySegment.ofArray(stream.toByteArray())),
        BodyFormat.STREAM,
        new WriteCondition.None());
  }

  @SafeVarargs
  private static Bytes stream(
      Map<Long, List<@Nullable Object>> dictionaries,
      Schema schema,
      List<List<@Nullable Object>>... batches)
      throws IOException {
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, schema, Codec.NONE);
    ArrayBuilder builder = new ArrayBuilder(Arena.ofAuto(), dictionaries);
    for (List<List<@Nullable Object>> columns : batches) {
      writer.write(builder.recordBatch(schema, columns.getFirst().size(), columns));
    }
    writer.close();
    return bytes;
  }

  @Test
  void recordsTheLastLevelForDataThatViolatesNoRule() throws IOException {
    WriteResult result =
        put(stream(Map.of(), Schema.of(Field.of("day", false, DATE)), List.of(List.of(DAY))));
    assertThat(result.warnings()).isEmpty();
    assertThat(result.findings()).isEmpty();
    assertThat(result.summary().file().level()).isEqualTo(Level.DOMAIN);
  }

  @Test
  void warnsOnceOfEachRuleThatAFieldViolates() throws IOException {
    Schema schema =
        Schema.of(
            Field.of("day", true, DATE),
            Field.of("at", true, new ArrowType.Timestamp(TimeUnit.SECOND, "Mars/Olympus")));
    WriteResult result =
        put(
            stream(
                Map.of(),
                schema,
                List.of(List.of(DAY), List.of(1L)),
                List.of(Arrays.asList(DAY, null, 7L, 8L), List.of(1L, 2L, 3L, 4L)),
                List.of(List.of(9L), List.of(1L))));
    assertThat(result.warnings())
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .isEqualTo(
                        "Expected a time zone of the tz database, or an offset such as +01:00, but"
                            + " found \"Mars/Olympus\" at Timestamp.timezone, field at"),
            second ->
                assertThat(second)
                    .matches(
                        WHOLE_DAYS
                            + "7 at slots\\[2\\], message 2, byte offset \\d+, field day, record"
                            + " batch 1"));
    assertThat(result.findings())
        .extracting(finding -> finding.rule())
        .containsExactly(Rule.TIMEZONE, Rule.DATE_WHOLE_DAYS);
    assertThat(result.summary().file().level()).isEqualTo(Level.VALUES);
    assertThat(
            data.datasets
                .summary(new DatasetReference(DatasetTestFolder.NAME, null))
                .file()
                .level())
        .isEqualTo(Level.VALUES);
  }

  /// Batches that refer to the dictionary do not repeat the warning.
  @Test
  void warnsOnceOfADictionaryValue() throws IOException {
    Field field =
        Field.of("day", true, DATE)
            .withDictionary(new DictionaryEncoding(3, SampleStreams.INT32, false));
    List<@Nullable Object> days = Arrays.asList(DAY, null, 5L);
    WriteResult result =
        put(
            stream(
                Map.of(3L, days), Schema.of(field), List.of(List.of(DAY)), List.of(List.of(DAY))));
    assertThat(result.warnings())
        .singleElement()
        .asString()
        .matches(
            WHOLE_DAYS + "5 at slots\\[2\\], message 1, byte offset \\d+, field day, dictionary 3");
  }

  @Test
  void limitsTheNumberOfWarnings() throws IOException {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      fields.add(Field.of("day" + i, true, DATE));
      fields.add(Field.of("at" + i, true, new ArrowType.Timestamp(TimeUnit.SECOND, "nowhere")));
    }
    Schema schema = Schema.of(fields.toArray(Field[]::new));
    WriteResult result =
        put(stream(Map.of(), schema, Collections.nCopies(schema.fields().size(), List.of(1L))));
    assertThat(result.warnings()).hasSize(Warnings.MAXIMUM + 1);
    assertThat(result.warnings().getLast())
        .isEqualTo("Expected at most 100 warnings but found more");
  }

  @Test
  void warningsDoNotHideAnError() throws IOException {
    Field[] fields = new Field[Warnings.MAXIMUM + 20];
    Arrays.fill(fields, Field.of("day", true, DATE));
    fields[fields.length - 1] = Field.of("text", true, new ArrowType.Utf8());
    Schema schema = Schema.of(fields);
    ArrayBuilder builder = new ArrayBuilder(Arena.ofAuto(), Map.of());
    List<List<@Nullable Object>> values =
        new ArrayList<>(Collections.nCopies(fields.length - 1, List.of(1L)));
    values.add(List.of("a"));
    RecordBatch batch = builder.recordBatch(schema, 1, values);
    ArrayData text = batch.columns().getLast();
    LittleEndian.setInt8(text.buffers().getLast(), 0, (byte) 0xFF);
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, schema, Codec.NONE);
    writer.write(batch);
    writer.close();
    assertThatThrownBy(() -> put(bytes))
        .isInstanceOf(InvalidDataException.class)
        .hasMessageStartingWith("Expected UTF-8 but found 0xff in byte 0 at slots[0], message 1")
        .hasMessageContaining("field text")
        .extracting(e -> ((InvalidDataException) e).findings())
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
        .hasSize(1);
    data.assertEmpty();
  }
}
