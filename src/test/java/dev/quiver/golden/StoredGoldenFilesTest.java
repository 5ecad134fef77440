package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that golden streams and files are stored as datasets with the same content, streams byte
/// for byte.
class StoredGoldenFilesTest {

  @TempDir private Path folder;
  private Stored stored;

  @BeforeEach
  void open() throws IOException {
    stored = new Stored(folder);
  }

  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#modern")
  void storesStreamsVerbatim(GoldenCase golden) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stream = golden.stream(arena);
      stored.put(stream, UploadOptions.KEEP);
      assertThat(stored.stream().mismatch(stream)).isEqualTo(-1);
      Decoded.ofFile(stored.file()).assertHolds(Decoded.ofStream(stream), golden.toString());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#all")
  void preservesTheValuesOfStreamsAndFiles(GoldenCase golden) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stream = golden.stream(arena);
      MemorySegment file = golden.file(arena);
      // The schemas differ from the JSON: metadata is in another order, and map children have other
      // names.
      stored.assertKeeps(golden + " as a stream", stream, Decoded.ofStream(stream));
      stored.assertKeeps(golden + " as a file", file, Decoded.ofFile(file));
    }
  }

  /// The schema of such a file is in its footer.
  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#all")
  void preservesTheValuesOfFilesWithoutASchemaMessage(GoldenCase golden) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment file = golden.file(arena);
      Footer footer = new FileReader(file, Limits.DEFAULT, arena).footer();
      long firstBlock =
          Stream.concat(footer.dictionaries().stream(), footer.recordBatches().stream())
              .mapToLong(Block::offset)
              .min()
              .orElse(16);
      MemorySegment without = arena.allocate(file.byteSize(), 8).copyFrom(file);
      without.asSlice(8, firstBlock - 8).fill((byte) 0);
      stored.assertKeeps(golden + " without a schema message", without, Decoded.ofFile(file));
    }
  }

  @ParameterizedTest
  @MethodSource("dev.quiver.golden.GoldenCase#all")
  void preservesTheRowsOfStreamsWithCombinedBatches(GoldenCase golden) throws IOException {
    List<List<List<@Nullable Object>>> batches = Decoded.of(golden.json()).batches();
    try (Arena arena = Arena.ofConfined()) {
      stored.put(golden.stream(arena), UploadOptions.DEFAULT);
      Decoded coalesced = Decoded.ofStream(stored.stream());
      assertThat(coalesced.batches().size()).isLessThanOrEqualTo(Math.max(1, batches.size()));
      assertThat(OptimizedDataTest.columns(coalesced.batches()))
          .isEqualTo(OptimizedDataTest.columns(batches));
    }
  }
}
