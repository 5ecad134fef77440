package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Slices;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.golden.Coverage.Cell;
import dev.quiver.golden.Coverage.Format;
import dev.quiver.golden.Coverage.Portion;
import dev.quiver.golden.Coverage.Position;
import dev.quiver.golden.Coverage.Reader;
import dev.quiver.golden.Coverage.Waiver;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests every kind of array, as a column and nested up to three levels deep, with every shape of
/// nulls, whole and sliced. Each is written as stream and file in every codec. Quiver reads it back
/// equal, and so does Arrow Java for the kinds it supports; Quiver also reads Arrow Java's output.
@Tag("arrow-java")
@Tag("long")
class CoverageMatrixTest {

  private static final int LENGTH = 11;

  /// The offsets of slices: bitmaps are copied at the first and shared at the second.
  private static final int[] SLICE_OFFSETS = {3, 8};

  private static final int SLOTS_AFTER_SLICE = 5;
  private static final int ROUND_COUNT_MAXIMUM = 200;

  static final List<Waiver> WAIVERS =
      List.of(
          new Waiver(
              "every slot of a null array is null",
              cell ->
                  cell.kind().name().equals("null")
                      && cell.nulls() != NullShape.ALL
                      && cell.nulls() != NullShape.EMPTY),
          new Waiver(
              "unions and run-end-encoded arrays have no validity",
              cell ->
                  (cell.kind().name().contains("union")
                          || cell.kind().name().startsWith("run_end_encoded"))
                      && (cell.nulls() == NullShape.SOME || cell.nulls() == NullShape.ALL)),
          new Waiver(
              "Arrow Java reads decimals of 32 and 64 bits as decimals of 128",
              cell ->
                  cell.reader() != Reader.QUIVER
                      && List.of("decimal32", "decimal64").contains(cell.kind().name())),
          new Waiver(
              "Arrow Java divides by the size of fixed-size binary, which may be zero",
              cell ->
                  cell.reader() != Reader.QUIVER
                      && cell.kind().name().equals("fixed_size_binary[0]")),
          new Waiver(
              "Arrow Java writes only what it has read, which is never a slice",
              cell ->
                  cell.reader() == Reader.QUIVER_OF_ARROW_JAVA && cell.portion() == Portion.SLICE));

  private final Coverage coverage = new Coverage(WAIVERS);

  @Test
  void everyCombinationRoundTrips() throws IOException {
    for (ArrayKind kind : ArrayKind.ALL) {
      for (Position position : Position.values()) {
        for (NullShape nulls : NullShape.values()) {
          for (Portion portion : Portion.values()) {
            Cell cell =
                new Cell(kind, position, nulls, portion, Codec.NONE, Format.FILE, Reader.QUIVER);
            if (!coverage.isWaived(cell)) {
              produce(cell);
            }
          }
        }
      }
    }

    assertThat(coverage.missing()).isEmpty();
    assertThat(coverage.needlesslyWaived()).isEmpty();
    assertThat(coverage.idleWaivers()).isEmpty();
  }

  /// Writes an array for the cell in every codec and format, and reads it back.
  private void produce(Cell wanted) throws IOException {
    boolean arrowJava = !coverage.isWaived(withReader(wanted, Reader.ARROW_JAVA));
    boolean rewritten = !coverage.isWaived(withReader(wanted, Reader.QUIVER_OF_ARROW_JAVA));
    for (int round = 0; round < ROUND_COUNT_MAXIMUM; round++) {
      try (Arena arena = Arena.ofConfined()) {
        DirectedData data =
            new DirectedData(31L * wanted.toString().hashCode() + round, wanted.nulls());
        Schema schema = data.schemaWith(wanted.kind(), wanted.position());
        boolean readable =
            schema.fields().stream().allMatch(field -> ArrowJavaLimit.reason(field) == null);
        boolean writable = schema.fields().stream().allMatch(ArrowJavaLimit::writes);
        if (arrowJava && !readable || rewritten && !writable) {
          continue;
        }
        int length = wanted.nulls() == NullShape.EMPTY ? 0 : LENGTH;
        Written written =
            wanted.portion() == Portion.WHOLE
                ? Written.of(schema, data, new int[] {length, length}, arena)
                : sliced(schema, data, length, arena);
        if (!holds(written, wanted)) {
          continue;
        }
        String description = wanted + ", round " + round;
        written.batches().forEach(Validation::assertValid);
        read(written, wanted, readable, readable && writable && rewritten, description);
        return;
      }
    }
    throw new AssertionError("Expected an array but none was produced for " + wanted);
  }

  private void read(
      Written written, Cell wanted, boolean arrowJava, boolean rewritten, String description)
      throws IOException {
    Schema schema = written.schema();
    List<List<List<@Nullable Object>>> expected = written.expected().batches();
    for (Codec codec : Codec.values()) {
      MemorySegment stream = written.stream(codec);
      MemorySegment file = written.file(codec);
      Decoded.ofStream(stream).assertHolds(written.expected(), "stream of " + description);
      add(wanted, codec, Format.STREAM, Reader.QUIVER);
      Decoded.ofFile(file).assertHolds(written.expected(), "file of " + description);
      add(wanted, codec, Format.FILE, Reader.QUIVER);
      if (arrowJava) {
        assertThat(ArrowJava.readStream(stream, schema)).as(description).isEqualTo(expected);
        add(wanted, codec, Format.STREAM, Reader.ARROW_JAVA);
        assertThat(ArrowJava.readFile(file, schema)).as(description).isEqualTo(expected);
        add(wanted, codec, Format.FILE, Reader.ARROW_JAVA);
      }
      if (rewritten) {
        assertThat(Decoded.ofStream(ArrowJava.rewriteAsStream(stream, codec)).batches())
            .as("Arrow Java's stream of " + description)
            .isEqualTo(expected);
        add(wanted, codec, Format.STREAM, Reader.QUIVER_OF_ARROW_JAVA);
        assertThat(Decoded.ofFile(ArrowJava.rewriteAsFile(stream, codec)).batches())
            .as("Arrow Java's file of " + description)
            .isEqualTo(expected);
        add(wanted, codec, Format.FILE, Reader.QUIVER_OF_ARROW_JAVA);
      }
    }
  }

  private void add(Cell cell, Codec codec, Format format, Reader reader) {
    coverage.add(
        new Cell(
            cell.kind(), cell.position(), cell.nulls(), cell.portion(), codec, format, reader));
  }

  private static Cell withReader(Cell cell, Reader reader) {
    return new Cell(
        cell.kind(),
        cell.position(),
        cell.nulls(),
        cell.portion(),
        cell.codec(),
        cell.format(),
        reader);
  }

  /// Returns batches of slices from the middle of longer arrays.
  private static Written sliced(Schema schema, RandomData data, int length, Arena arena) {
    ArrayBuilder builder = new ArrayBuilder(arena, data.dictionaries());
    List<RecordBatch> batches = new ArrayList<>();
    List<List<List<@Nullable Object>>> values = new ArrayList<>();
    for (int offset : SLICE_OFFSETS) {
      int whole = offset + length + SLOTS_AFTER_SLICE;
      List<ArrayData> columns = new ArrayList<>();
      List<List<@Nullable Object>> columnValues = new ArrayList<>();
      for (Field field : schema.fields()) {
        List<@Nullable Object> all = data.values(field, whole);
        columns.add(Slices.slice(builder.array(field, all), offset, length, arena));
        columnValues.add(all.subList(offset, offset + length));
      }
      batches.add(new RecordBatch(schema, length, columns));
      values.add(columnValues);
    }
    return new Written(schema, batches, new Decoded(schema, values));
  }

  /// Returns whether every batch has an array of the kind with the wanted shape of nulls.
  private static boolean holds(Written written, Cell wanted) {
    return written.batches().stream()
        .allMatch(batch -> {
          List<ArrayData> found = new ArrayList<>();
          batch
              .columns()
              .forEach(column ->
                  forEachArray(
                      column,
                      array -> {
                        if (array.field().name().equals(DirectedData.DIRECTED)
                            && ArrayKind.of(array.field()).equals(wanted.kind())
                            && NullShape.of(array) == wanted.nulls()) {
                          found.add(array);
                        }
                      }));
          return !found.isEmpty();
        });
  }

  private static void forEachArray(ArrayData array, Consumer<ArrayData> consumer) {
    consumer.accept(array);
    array.children().forEach(child -> forEachArray(child, consumer));
    if (array.dictionary() != null) {
      forEachArray(array.dictionary(), consumer);
    }
  }
}
