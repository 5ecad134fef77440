package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.codec.Codec;
import dev.quiver.columnar.Schema;
import dev.quiver.dataset.ingest.UploadOptions;
import dev.quiver.golden.Coverage.Position;
import dev.quiver.ipc.DictionaryFields;
import dev.quiver.ipc.StreamCodecs;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests selected columns and rows of every golden file and kind of array, as file and stream, in
/// the stored codec and in every other, with whole and with reduced dictionaries. Quiver reads
/// them, and so does Arrow Java for the kinds it supports.
@Tag("arrow-java")
@Tag("random")
class ArrowJavaSelectionTest {

  private static final int[] LENGTHS = {11, 0, 9, 5};
  private static final int ROUND_COUNT_MAXIMUM = 200;

  @TempDir private Path folder;
  private Stored stored;

  @BeforeEach
  void open() throws IOException {
    stored = new Stored(folder);
  }

  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#all")
  void selectionsOfGoldenFilesMatchTheirJson(GoldenCase golden) throws IOException {
    Decoded all = golden.expected(false);
    boolean arrowJava = !ArrowJavaGoldenFilesTest.BEYOND_ARROW_JAVA.containsKey(golden.name());
    try (Arena arena = Arena.ofConfined()) {
      stored.put(golden.stream(arena), UploadOptions.KEEP);
    }
    assertSelections(all, arrowJava, golden.toString());
  }

  static List<ArrayKind> kinds() {
    return ArrayKind.ALL;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void selectionsOfEveryKindMatchTheValues(ArrayKind kind) throws IOException {
    for (Position position : positions(kind)) {
      int ordinal = ArrayKind.ALL.indexOf(kind) + position.ordinal();
      for (Codec codec : codecs(position, ordinal)) {
        try (Arena arena = Arena.ofConfined()) {
          Written written = written(kind, position, arena);
          stored.put(written.stream(codec), UploadOptions.KEEP);
          boolean arrowJava = isReadable(written.schema());
          String description = "%s, %s, stored in %s".formatted(kind, position, codec);
          assertSelections(written.expected(), arrowJava, description);
        }
      }
    }
  }

  /// Returns where to test a kind: everywhere, or if trials are few, in one position in turn.
  private static Position[] positions(ArrayKind kind) {
    Position[] all = Position.values();
    return Trials.stride() == 1
        ? all
        : new Position[] {all[ArrayKind.ALL.indexOf(kind) % all.length]};
  }

  /// Returns the codecs to test: all for columns, one in turn for nested fields and if trials are
  /// few.
  private static Codec[] codecs(Position position, int ordinal) {
    return position == Position.COLUMN && Trials.stride() == 1
        ? Codec.values()
        : new Codec[] {Codec.values()[ordinal % Codec.values().length]};
  }

  /// Returns data of the kind, which Arrow Java can read if it can read the kind at all.
  private static Written written(ArrayKind kind, Position position, Arena arena) {
    Written written = null;
    for (int round = 0; round < ROUND_COUNT_MAXIMUM; round++) {
      DirectedData data = new DirectedData(kind.hashCode() + round, NullShape.SOME);
      Schema schema = data.schemaWith(kind, position);
      if (written == null || isReadable(schema)) {
        written = Written.of(schema, data, LENGTHS, arena);
      }
      if (isReadable(schema)) {
        return written;
      }
    }
    return Objects.requireNonNull(written);
  }

  private static boolean isReadable(Schema schema) {
    return schema.fields().stream().allMatch(field -> ArrowJavaLimit.reason(field) == null);
  }

  @Test
  void arrowJavaReadsMostKinds() {
    try (Arena arena = Arena.ofConfined()) {
      assertThat(ArrayKind.ALL)
          .filteredOn(kind -> !isReadable(written(kind, Position.COLUMN, arena).schema()))
          .extracting(ArrayKind::name)
          .containsExactlyInAnyOrder("decimal32", "decimal64", "fixed_size_binary[0]");
    }
  }

  private void assertSelections(Decoded all, boolean arrowJava, String source) throws IOException {
    List<Picked> selections = new ArrayList<>(Picked.all(all));
    if (!DictionaryFields.of(all.schema()).byId().isEmpty()) {
      // Every third one has columns, rows from both ends, and samples among them.
      for (int i = selections.size() - 1; i >= 0; i -= 3) {
        selections.add(selections.get(i).withUsedDictionaries());
      }
    }
    int stride = Math.min(Trials.stride(), selections.size());
    for (int i = Math.floorMod(source.hashCode(), stride); i < selections.size(); i += stride) {
      Picked picked = selections.get(i);
      String description = "%s of %s".formatted(picked.selection(), source);
      stored.assertRangesAgree(picked.selection(), description);
      assertHolds(
          stored.selected(picked.selection(), false), picked, arrowJava, false, description);
      assertHolds(stored.selected(picked.selection(), true), picked, arrowJava, true, description);
      for (Codec codec : Codec.values()) {
        boolean asFile = codec == Codec.LZ4;
        MemorySegment bytes = stored.selected(picked.selection(), codec, asFile);
        assertHolds(bytes, picked, arrowJava, asFile, description + " in " + codec);
        assertThat(asFile ? StreamCodecs.ofFile(bytes) : StreamCodecs.of(bytes))
            .as(description)
            .isSubsetOf(codec);
      }
    }
  }

  private static void assertHolds(
      MemorySegment bytes, Picked picked, boolean arrowJava, boolean asFile, String description)
      throws IOException {
    Decoded decoded = asFile ? Decoded.ofFile(bytes) : Decoded.ofStream(bytes);
    Decoded expected = picked.expected();
    decoded.withSortedMetadata().assertHolds(expected.withSortedMetadata(), description);
    if (arrowJava) {
      Schema schema = decoded.schema();
      assertThat(asFile ? ArrowJava.readFile(bytes, schema) : ArrowJava.readStream(bytes, schema))
          .as("Arrow Java, " + description)
          .isEqualTo(expected.batches());
    }
  }
}
