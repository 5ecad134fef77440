package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.type.Schema;
import dev.quiver.golden.Coverage.Position;
import dev.quiver.store.version.SchemaMismatchException;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that appended rows of any type, with any dictionaries, follow the existing ones, before
/// and after compaction. Quiver reads them, and so does Arrow Java for the types it supports.
@Tag("arrow-java")
@Tag("random")
class ArrowJavaAppendTest {

  private static final int[] LENGTHS = {11, 0, 5};
  private static final int[] OTHER_LENGTHS = {3, 9};

  /// The number of kinds that cannot be appended because their ordered dictionaries differ.
  private int orderedCount;

  @TempDir private Path folder;
  private Stored stored;

  @BeforeEach
  void open() throws IOException {
    stored = new Stored(folder);
  }

  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#all")
  void appendsGoldenFilesToThemselves(GoldenCase golden) throws IOException {
    List<List<List<@Nullable Object>>> batches = golden.expected(false).batches();
    boolean arrowJava = !ArrowJavaGoldenFilesTest.BEYOND_ARROW_JAVA.containsKey(golden.name());
    try (Arena arena = Arena.ofConfined()) {
      stored.put(golden.stream(arena), UploadOptions.KEEP);
      stored.append(golden.stream(arena), UploadOptions.KEEP);
      stored.append(golden.stream(arena), UploadOptions.DEFAULT);
      List<List<List<@Nullable Object>>> all = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        all.addAll(batches);
      }
      assertHolds(all, arrowJava, golden.toString());
      stored.compact();
      assertHolds(all, arrowJava, golden + ", compacted");
    }
  }

  @Test
  void appendsArraysOfEveryKind() throws IOException {
    for (Position position : Position.values()) {
      int first = position.ordinal() % Trials.stride();
      for (int i = first; i < ArrayKind.ALL.size(); i += Trials.stride()) {
        try (Arena arena = Arena.ofConfined()) {
          assertAppends(ArrayKind.ALL.get(i), position, arena);
        }
      }
    }
    assertThat(orderedCount).isBetween(Trials.stride() == 1 ? 1 : 0, ArrayKind.ALL.size());
  }

  private void assertAppends(ArrayKind kind, Position position, Arena arena) throws IOException {
    String description = kind + ", " + position;
    DirectedData data = new DirectedData(kind.hashCode(), NullShape.SOME);
    Schema schema = data.schemaWith(kind, position);
    Written first = Written.of(schema, data, LENGTHS, arena);
    Random random = new Random(kind.hashCode());
    data.dictionaries().values().forEach(values -> Collections.shuffle(values, random));
    Written other = Written.of(schema, data, OTHER_LENGTHS, arena);
    stored.put(first.stream(Codec.NONE), UploadOptions.KEEP);
    try {
      stored.append(other.stream(Codec.values()[1]), UploadOptions.KEEP);
    } catch (SchemaMismatchException e) {
      assertThat(e).as(description).hasMessageContaining("ordered dictionary");
      orderedCount++;
      return;
    }
    stored.append(first.stream(Codec.NONE), UploadOptions.KEEP);
    List<List<List<@Nullable Object>>> all = new ArrayList<>(first.expected().batches());
    all.addAll(other.expected().batches());
    all.addAll(first.expected().batches());
    boolean arrowJava =
        schema.fields().stream().allMatch(field -> ArrowJavaLimit.reason(field) == null);
    assertHolds(all, arrowJava, description);
    stored.compact();
    assertHolds(all, arrowJava, description + ", compacted");
  }

  private void assertHolds(
      List<List<List<@Nullable Object>>> batches, boolean arrowJava, String description)
      throws IOException {
    List<List<@Nullable Object>> expected = OptimizedDataTest.columns(batches);
    Decoded ofFile = Decoded.ofFile(stored.file());
    MemorySegment stream = stored.stream();
    Decoded ofStream = Decoded.ofStream(stream);
    assertThat(OptimizedDataTest.columns(ofFile.batches())).as(description).isEqualTo(expected);
    assertThat(OptimizedDataTest.columns(ofStream.batches())).as(description).isEqualTo(expected);
    if (arrowJava) {
      Schema schema = ofStream.schema();
      assertThat(OptimizedDataTest.columns(ArrowJava.readStream(stream, schema)))
          .as(description + ", by Arrow Java")
          .isEqualTo(expected);
      assertThat(OptimizedDataTest.columns(ArrowJava.readFile(stored.file(), schema)))
          .as(description + ", by Arrow Java from a file")
          .isEqualTo(expected);
    }
  }
}
