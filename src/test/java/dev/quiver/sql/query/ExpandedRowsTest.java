package dev.quiver.sql.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.formats.BatchStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ExpandedRowsTest {

  private static final long FILE_BYTE_SIZE = 1000;

  @Test
  void rowsAreBoundedByTheSizeOfTheFile() throws IOException {
    ExpandedRows rows = new ExpandedRows(MemorySegment::byteSize, FILE_BYTE_SIZE, Limits.DEFAULT);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment chunk = arena.allocate(16 << 20);
      for (long i = 0; i < BatchStream.FREE_BYTE_SIZE; i += chunk.byteSize()) {
        assertThat(rows.read(chunk)).isEqualTo(chunk.byteSize());
      }
      MemorySegment rest = chunk.asSlice(0, FILE_BYTE_SIZE * 1000);
      assertThat(rows.read(rest)).isEqualTo(rest.byteSize());
      assertThatThrownBy(() -> rows.read(chunk.asSlice(0, 1)))
          .isInstanceOf(TooLargeInputException.class)
          .hasMessageContaining("1000 bytes of rows per byte of the file")
          .hasMessageContaining("(decompression-ratio) but found 1001");
    }
  }
}
