package dev.quiver.golden;

import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests selected columns and rows of every golden file.
///
/// @see Selections
@Tag("arrow-java")
@Tag("random")
class ArrowJavaSelectionTest {

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
    new Selections(stored).assertHold(all, arrowJava, golden.toString());
  }
}
