package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.DelegatingBlob;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.SelectedBytes;
import dev.quiver.store.read.Selection;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.write.DatasetOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Reads of data in which single bits were flipped.
class CheckedReadsTest {

  private static final int ROWS = 100_000;
  private static final int PART_BYTE_SIZE = 1000;

  /// More readers than there are native buffers for blocks.
  private static final int MORE_THAN_NATIVE = 70;

  @TempDir private Path folder;

  private static byte[] flipped(byte[] bytes, int position) {
    byte[] flipped = bytes.clone();
    flipped[position] ^= (byte) (1 << position % 8);
    return flipped;
  }

  /// Large bodies are mapped and small ones are copied; both are checked. A column that is not read
  /// may be damaged.
  @Test
  void findsEveryFlippedBitAndReadsTheRest() throws IOException {
    for (int rows : new int[] {100, ROWS}) {
      Path store = folder.resolve(String.valueOf(rows));
      DatasetTestFolder data = new DatasetTestFolder(store);
      data.put(SampleStreams.stream(rows, rows));
      Path file = store.resolve(data.dataKeys().getFirst());
      byte[] whole = Files.readAllBytes(file);
      Random random = new Random(rows);
      int others = 0;
      for (int i = 0; i < 60; i++) {
        int position = random.nextInt(whole.length);
        Files.write(file, flipped(whole, position));
        // The footer and the batches are read; nothing else is in the file of one upload.
        requireDamaged(store, data.dataKeys().getFirst(), position);
        others += reads(store, List.of("color")) ? 1 : 0;
      }
      if (rows == ROWS) {
        assertThat(others).isBetween(20, 59);
      } else {
        // All columns are in one block.
        assertThat(others).isLessThan(20);
      }
      Files.write(file, whole);
      assertThat(reads(store, List.of())).isTrue();
    }
  }

  /// Threads that gather rows compare the blocks of a mapped body.
  @Test
  void findsEveryFlippedBitOfABatchWhoseRowsAreGathered() throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder);
    data.put(SampleStreams.stream(ROWS));
    Path file = folder.resolve(data.dataKeys().getFirst());
    byte[] whole = Files.readAllBytes(file);
    Random random = new Random(1);
    for (int i = 0; i < 30; i++) {
      Files.write(file, flipped(whole, random.nextInt(whole.length)));
      assertThat(gathers(folder)).isFalse();
    }
    Files.write(file, whole);
    assertThat(gathers(folder)).isTrue();
  }

  /// A copy of a remote blob that is damaged is fetched again.
  @Test
  void gathersRowsOfACopyThatIsFetchedAgain() throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder);
    data.put(SampleStreams.stream(ROWS));
    DamagedCopies copies = new DamagedCopies(data.store);
    assertThat(gathered(copies)).isEqualTo(gathered(data.store));
    assertThat(copies.fetchedCount).isEqualTo(1);
  }

  /// A store whose first copy of each range that is mapped has a flipped bit.
  private static final class DamagedCopies extends UnreliableStore {

    private int fetchedCount;

    DamagedCopies(BlobStore store) {
      super(store);
    }

    @Override
    public Blob open(String key) throws IOException {
      return new DelegatingBlob(super.open(key)) {

        @Override
        public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
          MemorySegment copy =
              arena.allocate(byteSize).copyFrom(super.map(byteOffset, byteSize, arena));
          if (fetchedCount == 0) {
            copy.set(
                ValueLayout.JAVA_BYTE,
                byteSize / 2,
                (byte) ~copy.get(ValueLayout.JAVA_BYTE, byteSize / 2));
          }
          return copy;
        }

        @Override
        public boolean refetch() {
          return fetchedCount++ == 0;
        }
      };
    }
  }

  private static boolean gathers(Path folder) throws IOException {
    try {
      return gathered(new DatasetTestFolder(folder).store).length > 0;
    } catch (DamagedBlobException e) {
      return false;
    }
  }

  private static byte[] gathered(BlobStore store) throws IOException {
    Selection sample = new Selection(List.of(), 0, Long.MAX_VALUE, ROWS / 2);
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT);
        Snapshot snapshot = datasets.open(new DatasetReference(DatasetTestFolder.NAME, null))) {
      SelectedBytes rows = snapshot.select(sample).file();
      ByteArrayOutputStream read = new ByteArrayOutputStream();
      rows.write(
          0,
          rows.byteSize(),
          BlobSink.reading(segment -> read.writeBytes(segment.toArray(ValueLayout.JAVA_BYTE))));
      return read.toByteArray();
    }
  }

  /// Memory for blocks goes from one version to the next. Some is native, and that of further
  /// readers is not.
  @Test
  void readersOfPartsGetTheBytesOfTheirOwnVersion() throws IOException {
    List<DatasetTestFolder> folders = new ArrayList<>();
    List<byte[]> files = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      DatasetTestFolder data = new DatasetTestFolder(folder.resolve(String.valueOf(i)));
      data.put(SampleStreams.stream(ROWS + i));
      folders.add(data);
      files.add(Files.readAllBytes(folder.resolve(i + "/" + data.dataKeys().getFirst())));
    }
    Random random = new Random(1);
    for (int round = 0; round < 3; round++) {
      List<Snapshot> open = new ArrayList<>();
      for (int i = 0; i < MORE_THAN_NATIVE; i++) {
        open.add(folders.get(i % 2).open());
      }
      for (int i = 0; i < 4 * MORE_THAN_NATIVE; i++) {
        int at = random.nextInt(files.getFirst().length - PART_BYTE_SIZE);
        byte[] expected = part(files.get(i % 2), at);
        assertThat(bytes(open.get(i % MORE_THAN_NATIVE), at)).isEqualTo(expected);
      }
      for (Snapshot snapshot : open) {
        snapshot.close();
      }
    }
  }

  private static byte[] part(byte[] file, int at) {
    return Arrays.copyOfRange(file, at, at + PART_BYTE_SIZE);
  }

  private static byte[] bytes(Snapshot snapshot, int at) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    snapshot.write(
        at,
        PART_BYTE_SIZE,
        BlobSink.reading(segment -> read.writeBytes(segment.toArray(ValueLayout.JAVA_BYTE))));
    return read.toByteArray();
  }

  private static void requireDamaged(Path folder, String blob, long position) throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder);
    try (Snapshot snapshot = data.open()) {
      assertThatThrownBy(
              () -> snapshot.write(0, snapshot.file().byteSize(), BlobSink.reading(_ -> {})))
          .isInstanceOfSatisfying(
              DamagedBlobException.class,
              damage -> {
                assertThat(damage.version()).isEqualTo("data@1");
                assertThat(damage.blob()).isEqualTo(blob);
                assertThat(position - damage.byteOffset()).isBetween(0L, (64L << 10) - 1);
              });
    }
  }

  private static boolean reads(Path folder, List<String> columns) throws IOException {
    try (Datasets datasets =
            new Datasets(new DatasetTestFolder(folder).store, DatasetOptions.DEFAULT);
        Snapshot snapshot = datasets.open(new DatasetReference(DatasetTestFolder.NAME, null));
        DecodedBatches batches =
            snapshot.select(new Selection(columns, 0, Long.MAX_VALUE)).decodedBatches()) {
      for (int i = 0; i < batches.count(); i++) {
        batches.read(i);
      }
      return true;
    } catch (DamagedBlobException e) {
      return false;
    }
  }
}
