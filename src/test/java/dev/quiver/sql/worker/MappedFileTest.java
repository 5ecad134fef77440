package dev.quiver.sql.worker;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.store.blob.BlockChecksums;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks of ranges of a mapped file, also where several blocks have one checksum.
class MappedFileTest {

  private static final int BLOCK_BYTE_SIZE = 100;
  private static final int BLOCK_COUNT = 20;
  private static final int PIECE_OFFSET = 30;

  @TempDir private Path folder;
  private final MappedPieces pieces = new MappedPieces(System::nanoTime);

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 100})
  void damageIsFoundByEachReadOfItsBlocks(int joined) throws IOException {
    byte[] bytes = new byte[PIECE_OFFSET + BLOCK_COUNT * BLOCK_BYTE_SIZE];
    new Random(1).nextBytes(bytes);
    BlockChecksums.Builder builder = new BlockChecksums.Builder();
    for (int i = 0; i < BLOCK_COUNT; i++) {
      MemorySegment block =
          MemorySegment.ofArray(bytes).asSlice(PIECE_OFFSET + i * BLOCK_BYTE_SIZE, BLOCK_BYTE_SIZE);
      builder.add((long) i * BLOCK_BYTE_SIZE, BLOCK_BYTE_SIZE, Crc32c.of(block));
    }
    BlockChecksums checksums = builder.build().joined(joined);
    for (int damaged = 0; damaged < BLOCK_COUNT; damaged += 3) {
      byte[] stored = bytes.clone();
      stored[PIECE_OFFSET + damaged * BLOCK_BYTE_SIZE + 50] ^= 1;
      Path file = Files.write(folder.resolve("blob"), stored);
      StoredTable.Extent extent =
          new StoredTable.Extent(
              "data/a",
              file.toString(),
              PIECE_OFFSET,
              (long) BLOCK_COUNT * BLOCK_BYTE_SIZE,
              checksums);
      try (MappedFile mapped = MappedFile.open("a", List.of(extent), pieces)) {
        for (int read = 0; read < BLOCK_COUNT; read++) {
          long byteOffset = (long) read * BLOCK_BYTE_SIZE + 10;
          if (read / joined == damaged / joined) {
            assertThatThrownBy(() -> mapped.requireIntact(byteOffset, 5))
                .isInstanceOf(DamagedFileException.class);
          } else {
            assertThatCode(() -> mapped.requireIntact(byteOffset, 5)).doesNotThrowAnyException();
          }
        }
      }
    }
  }

  @Test
  void damageIsFoundInALaterExtent() throws IOException {
    byte[] bytes = new byte[BLOCK_BYTE_SIZE];
    BlockChecksums.Builder builder = new BlockChecksums.Builder();
    builder.add(0, BLOCK_BYTE_SIZE, Crc32c.of(MemorySegment.ofArray(bytes)));
    BlockChecksums checksums = builder.build();
    List<StoredTable.Extent> extents = new ArrayList<>();
    for (String blob : List.of("intact", "damaged")) {
      bytes[50] = (byte) extents.size();
      String file = Files.write(folder.resolve(blob), bytes).toString();
      extents.add(new StoredTable.Extent(blob, file, 0, BLOCK_BYTE_SIZE, checksums));
    }
    try (MappedFile mapped = MappedFile.open("a", extents, pieces)) {
      assertThatCode(() -> mapped.requireIntact(10, 5)).doesNotThrowAnyException();
      assertThatThrownBy(() -> mapped.requireIntact(BLOCK_BYTE_SIZE + 10, 5))
          .isInstanceOf(DamagedFileException.class);
    }
  }
}
