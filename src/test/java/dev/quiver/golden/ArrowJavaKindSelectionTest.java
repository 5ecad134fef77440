package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.type.Schema;
import dev.quiver.golden.Coverage.Position;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests selected columns and rows of every kind of array.
///
/// @see Selections
@Tag("arrow-java")
@Tag("random")
class ArrowJavaKindSelectionTest {

  private static final int[] LENGTHS = {11, 0, 9, 5};
  private static final int ROUND_COUNT_MAXIMUM = 200;

  @TempDir private Path folder;
  private Stored stored;

  @BeforeEach
  void open() throws IOException {
    stored = new Stored(folder);
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
          new Selections(stored).assertHold(written.expected(), arrowJava, description);
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
}
