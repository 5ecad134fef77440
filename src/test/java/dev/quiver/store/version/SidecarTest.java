package dev.quiver.store.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.BatchStatistics;
import dev.quiver.arrow.statistics.ColumnStatistics;
import dev.quiver.arrow.statistics.ColumnStatistics.Bound;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlockChecksums;
import dev.quiver.store.blob.MemoryBlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SidecarTest {

  private static final String KEY = "data/_a_/1.sidecar";
  private static final int UNASSIGNED = 99;

  private static final BlockChecksums CHECKSUMS = checksums();

  private static BlockChecksums checksums() {
    BlockChecksums.Builder builder = new BlockChecksums.Builder();
    builder.add(0, 100, 7);
    builder.add(100, 1 << 20, -8);
    return builder.build();
  }

  private static final BatchStatistics STATISTICS =
      new BatchStatistics(
          List.of(
              new ColumnStatistics(
                  1L << 40,
                  true,
                  new Bound(ByteString.of("a"), true),
                  new Bound(ByteString.of("x".repeat(31) + "y"), false),
                  false,
                  true),
              new ColumnStatistics(-1, false, null, null, false, true),
              new ColumnStatistics(3, true, null, null, true, false)));

  @TempDir private Path folder;

  @Test
  void keepsChecksums() throws IOException {
    assertThat(read(Sidecar.of(CHECKSUMS).write()).checksums()).isEqualTo(CHECKSUMS);
  }

  @Test
  void keepsStatisticsOfBatches() throws IOException {
    BlobStatistics.Builder builder = new BlobStatistics.Builder();
    builder.add(1000, STATISTICS);
    builder.add(8, new BatchStatistics(List.of()));
    BlobStatistics found = read(new Sidecar(CHECKSUMS, builder.build()).write()).statistics();
    assertThat(found.of(1000)).isEqualTo(STATISTICS);
    assertThat(found.of(8)).isEqualTo(new BatchStatistics(List.of()));
    assertThat(found.of(9)).isNull();
    assertThat(read(Sidecar.of(CHECKSUMS).write()).statistics().of(8)).isNull();
  }

  @Test
  void statisticsOfABlobAreBounded() throws IOException {
    ColumnStatistics column = STATISTICS.columns().getFirst();
    BatchStatistics wide = new BatchStatistics(Collections.nCopies(1000, column));
    int byteSize = 12 + wide.write().length;
    int fitting = BlobStatistics.BYTE_SIZE_MAXIMUM / byteSize;
    BlobStatistics.Builder builder = new BlobStatistics.Builder();
    for (int i = 0; i <= fitting; i++) {
      builder.add(i, wide);
    }
    BlobStatistics found = read(new Sidecar(CHECKSUMS, builder.build()).write()).statistics();
    assertThat(found.of(fitting - 1)).isEqualTo(wide);
    assertThat(found.of(fitting)).isNull();
  }

  @Test
  void skipsOptionalSectionsOfUnknownTypes() throws IOException {
    assertThat(read(withSection(UNASSIGNED, false)).checksums()).isEqualTo(CHECKSUMS);
  }

  @Test
  void rejectsARequiredSectionOfAnUnknownType() {
    assertThatThrownBy(() -> read(withSection(UNASSIGNED, true)))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Expected sections of known types but found the required section 99 at blob " + KEY);
  }

  @Test
  void findsEveryFlippedBitAndEveryMissingByte() {
    BlobStatistics.Builder builder = new BlobStatistics.Builder();
    builder.add(1000, STATISTICS);
    byte[] bytes = new Sidecar(CHECKSUMS, builder.build()).write().toArray(ValueLayout.JAVA_BYTE);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] ^= 1;
      requireBroken(MemorySegment.ofArray(bytes));
      bytes[i] ^= 1;
      requireBroken(MemorySegment.ofArray(bytes).asSlice(0, i));
    }
  }

  private void requireBroken(MemorySegment bytes) {
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOf(IOException.class)
        .hasMessage("Expected a sidecar but found a broken one at blob " + KEY);
  }

  /// Returns a sidecar with another section before the checksums.
  private static MemorySegment withSection(int type, boolean required) {
    MemorySegment other = MemorySegment.ofArray(new byte[] {1, 2, 3});
    MemorySegment checksums = Sidecar.content(CHECKSUMS);
    long tableByteSize = 8 + 4 + 4 + 2 * Section.tableByteSize("") + 4;
    Cursor cursor =
        new Cursor(
            MemorySegment.ofArray(new byte[(int) (tableByteSize + 3 + checksums.byteSize())]));
    cursor.putBytes("QUIVERSC".getBytes(StandardCharsets.US_ASCII));
    cursor.putInt32(1);
    cursor.putInt32(2);
    new Section.Content(type, required, other).at(tableByteSize).write(cursor);
    new Section.Content(Section.BLOCK_CHECKSUMS, true, checksums)
        .at(tableByteSize + 3)
        .write(cursor);
    CRC32C checksum = new CRC32C();
    checksum.update(cursor.segment().asSlice(0, cursor.position()).asByteBuffer());
    cursor.putInt32((int) checksum.getValue());
    cursor.putSegment(other);
    cursor.putSegment(checksums);
    return cursor.segment();
  }

  private Sidecar read(MemorySegment bytes) throws IOException {
    MemoryBlobStore store = new MemoryBlobStore(folder);
    store.putIfAbsent(KEY, bytes);
    try (Blob blob = store.open(KEY)) {
      return Sidecar.read(KEY, blob);
    }
  }
}
