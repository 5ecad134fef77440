package dev.quiver.sql.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.sql.worker.MappedPieces.Piece;
import dev.quiver.store.blob.BlockChecksums;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedPiecesTest {

  private static final int BYTE_SIZE = 100;

  @TempDir private Path folder;

  private final AtomicLong nanos = new AtomicLong();
  private final MappedPieces pieces = new MappedPieces(nanos::get);

  @Test
  void theNextStatementFindsAPieceAndItsIntactBlocks() throws IOException {
    StoredTable.Extent extent = extent("a", 1);
    Piece first = pieces.acquire(extent);
    first.setIntact(0);
    pieces.release(extent, first);
    pass(MappedPieces.UNUSED_MAXIMUM.minusNanos(1));
    Piece second = pieces.acquire(extent);
    assertThat(second).isSameAs(first);
    assertThat(second.isIntact(0)).isTrue();
    assertThat(second.isIntact(1)).isFalse();
    pieces.release(extent, second);
  }

  @Test
  void statementsShareAPieceAtOnce() throws IOException {
    StoredTable.Extent extent = extent("a", 1);
    Piece first = pieces.acquire(extent);
    Piece second = pieces.acquire(extent);
    pieces.release(extent, first);
    pass(Duration.ofDays(1));
    assertThat(second.bytes().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 1);
    pieces.release(extent, second);
  }

  @Test
  void aPieceThatNoStatementReadsIsUnmapped() throws IOException {
    StoredTable.Extent extent = extent("a", 1);
    Piece piece = pieces.acquire(extent);
    pieces.release(extent, piece);
    pass(MappedPieces.UNUSED_MAXIMUM.minusNanos(1));
    assertThat(isMapped(piece)).isTrue();
    pass(Duration.ofNanos(1));
    assertThat(isMapped(piece)).isFalse();
    assertThat(pieces.keptCount()).isZero();
  }

  @Test
  void aPieceOfAGreatAgeIsMappedAndCheckedAgain() throws IOException {
    StoredTable.Extent extent = extent("a", 1);
    Piece first = pieces.acquire(extent);
    first.setIntact(0);
    pass(MappedPieces.AGE_MAXIMUM);
    Piece second = pieces.acquire(extent);
    assertThat(second.isIntact(0)).isFalse();
    assertThat(isMapped(first)).isTrue();
    pieces.release(extent, first);
    assertThat(isMapped(first)).isFalse();
    pieces.release(extent, second);
    assertThat(isMapped(second)).isTrue();
  }

  @Test
  void anotherFileAtTheSamePathIsMappedInstead() throws IOException {
    StoredTable.Extent extent = extent("a", 1);
    Piece first = pieces.acquire(extent);
    first.setIntact(0);
    pieces.release(extent, first);
    Path other = Files.write(folder.resolve("other"), bytes(2));
    Files.move(other, Path.of(extent.path()), StandardCopyOption.REPLACE_EXISTING);
    Piece second = pieces.acquire(extent);
    assertThat(second.bytes().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 2);
    assertThat(second.isIntact(0)).isFalse();
    assertThat(isMapped(first)).isFalse();
    pieces.release(extent, second);
  }

  @Test
  void otherChecksumsAreComparedAgain() throws IOException {
    StoredTable.Extent extent = extent("a", 1);
    Piece first = pieces.acquire(extent);
    first.setIntact(0);
    pieces.release(extent, first);
    StoredTable.Extent unchecked =
        new StoredTable.Extent(extent.path(), extent.byteOffset(), extent.byteSize());
    Piece second = pieces.acquire(unchecked);
    pieces.release(unchecked, second);
    Piece third = pieces.acquire(extent);
    assertThat(third.isIntact(0)).isFalse();
    pieces.release(extent, third);
  }

  @Test
  void aDeletedFileIsGoneThoughItIsMapped() throws IOException {
    StoredTable.Extent extent = extent("a", 1);
    pieces.release(extent, pieces.acquire(extent));
    Files.delete(Path.of(extent.path()));
    assertThatThrownBy(() -> pieces.acquire(extent)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aDamagedPieceIsKeptForNoOther() throws IOException {
    StoredTable.Extent extent = extent("a", 1);
    Piece damaged = pieces.acquire(extent);
    pieces.drop(extent, damaged);
    Piece next = pieces.acquire(extent);
    assertThat(next).isNotSameAs(damaged);
    pieces.release(extent, damaged);
    assertThat(isMapped(damaged)).isFalse();
    pieces.release(extent, next);
    assertThat(isMapped(next)).isTrue();
  }

  @Test
  void soManyPiecesStayMapped() throws IOException {
    List<Piece> all = new ArrayList<>();
    for (int i = 0; i <= MappedPieces.COUNT_MAXIMUM; i++) {
      StoredTable.Extent extent = extent("piece" + i, 0);
      Piece piece = pieces.acquire(extent);
      all.add(piece);
      assertThat(isMapped(all.getFirst())).isTrue();
      pieces.release(extent, piece);
    }
    assertThat(pieces.keptCount()).isEqualTo(MappedPieces.COUNT_MAXIMUM);
    assertThat(isMapped(all.getFirst())).isFalse();
    assertThat(isMapped(all.get(1))).isTrue();
  }

  private void pass(Duration duration) {
    nanos.addAndGet(duration.toNanos());
    pieces.closeExpired();
  }

  private static boolean isMapped(Piece piece) {
    return piece.bytes().scope().isAlive();
  }

  private static byte[] bytes(int value) {
    byte[] bytes = new byte[BYTE_SIZE];
    bytes[0] = (byte) value;
    return bytes;
  }

  private StoredTable.Extent extent(String name, int value) throws IOException {
    byte[] bytes = bytes(value);
    String path = Files.write(folder.resolve(name), bytes).toString();
    BlockChecksums.Builder checksums = new BlockChecksums.Builder();
    for (int i = 0; i < 2; i++) {
      MemorySegment half = MemorySegment.ofArray(bytes).asSlice(i * BYTE_SIZE / 2, BYTE_SIZE / 2);
      checksums.add((long) i * BYTE_SIZE / 2, BYTE_SIZE / 2, Crc32c.of(half));
    }
    return new StoredTable.Extent("data/" + name, path, 0, BYTE_SIZE, checksums.build());
  }
}
