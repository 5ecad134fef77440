package dev.quiver.store.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.CountingStore;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.Datasets;
import dev.quiver.store.SampleStreams;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The data that is read to reduce dictionaries. `golden.ArrowJavaSelectionTest` checks the values
/// of rows.
class ReducedDictionariesTest {

  private static final int LARGE = 100_000;
  private static final Selection USED =
      new Selection(List.of(), 0, Long.MAX_VALUE, null, DictionaryValues.USED);

  @TempDir private Path folder;
  private CountingStore store;
  private Datasets datasets;

  @BeforeEach
  void open() throws IOException {
    store = new CountingStore(FolderBlobStore.open(folder));
    datasets = new Datasets(store, DatasetOptions.DEFAULT);
  }

  private VersionSummary put(byte[] body) throws IOException {
    ByteSource source = ByteSource.of(MemorySegment.ofArray(body));
    return datasets
        .put(DatasetTestFolder.NAME, source, BodyFormat.UNKNOWN, new WriteCondition.None())
        .summary();
  }

  private Snapshot snapshot() throws IOException {
    return datasets.open(new DatasetReference(DatasetTestFolder.NAME, null));
  }

  private static Selection rows(long offset, long limit) {
    return new Selection(List.of(), offset, limit, null, DictionaryValues.USED);
  }

  private static byte[] read(SelectedBytes selected, long byteOffset, long byteSize)
      throws IOException {
    Bytes bytes = new Bytes();
    selected.write(byteOffset, byteSize, BlobSink.reading(bytes));
    return bytes.toByteArray();
  }

  private byte[] file(Selection selection) throws IOException {
    try (Snapshot snapshot = snapshot()) {
      SelectedBytes file = snapshot.select(selection).file();
      return read(file, 0, file.byteSize());
    }
  }

  /// The rows are read once, and their batches decoded once more for the layout. Whether a part of
  /// the body is read or all of it is mapped, it counts as all.
  @ParameterizedTest
  @EnumSource(Codec.class)
  void readsTheRowsOnceForTheWholeResponse(Codec codec) throws IOException {
    put(SampleStreams.stream(codec, 30, 1000, 40));
    try (Snapshot snapshot = snapshot()) {
      long bodies = snapshot.footer().recordBatches().stream().mapToLong(Block::bodyLength).sum();
      store.take();
      SelectedBytes file = snapshot.select(USED).file();
      read(file, 0, file.byteSize());
      read(file, 100, file.byteSize() - 100);
      // Whole blocks are read, so that they can be checked.
      assertThat(store.take()).isBetween(2 * bodies, 2 * bodies + 10_000);
    }
  }

  @Test
  void knownLayoutNeedsNoRows() throws IOException {
    put(SampleStreams.stream(LARGE, LARGE));
    byte[] file = file(USED);
    store.take();
    try (Snapshot snapshot = snapshot()) {
      SelectedBytes selected = snapshot.select(USED).file();
      assertThat(selected.byteSize()).isEqualTo(file.length);
      assertThat(read(selected, file.length - 100, 100))
          .isEqualTo(Arrays.copyOfRange(file, file.length - 100, file.length));
      assertThat(store.take()).isZero();
      assertThat(read(selected, 700, 5000)).isEqualTo(Arrays.copyOfRange(file, 700, 5700));
      assertThat(store.take()).isPositive();
    }
  }

  /// The layout remembers which values are used, so that a range reads no other batches.
  @Test
  void laterRangeReadsOnlyItsBatches() throws IOException {
    put(SampleStreams.stream(LARGE, LARGE, LARGE));
    byte[] file = file(USED);
    try (Snapshot snapshot = snapshot()) {
      long bodyLength = snapshot.footer().recordBatches().getFirst().bodyLength();
      store.take();
      SelectedBytes selected = snapshot.select(USED).file();
      int offset = (int) (2 * bodyLength + 5000);
      assertThat(read(selected, offset, 5000))
          .isEqualTo(Arrays.copyOfRange(file, offset, offset + 5000));
      assertThat(store.take()).isBetween(bodyLength, bodyLength + 5000);
    }
  }

  /// More values than a layout remembers are found again for each response.
  @ParameterizedTest
  @CsvSource({"16384, 1", "16385, 2"})
  void fewUsedValuesAreRemembered(int valueCount, int passes) throws IOException {
    put(values(valueCount));
    byte[] file = file(USED);
    try (Snapshot snapshot = snapshot()) {
      long bodyLength = snapshot.footer().recordBatches().getFirst().bodyLength();
      store.take();
      SelectedBytes selected = snapshot.select(USED).file();
      long dictionary = snapshot.footer().dictionaries().getFirst().bodyLength();
      assertThat(read(selected, 0, file.length)).isEqualTo(file);
      assertThat(store.take() - dictionary)
          .isBetween(passes * bodyLength, passes * bodyLength + 5000);
    }
  }

  /// Returns a batch of one column that has each value of its dictionary, in descending order.
  private static byte[] values(int count) throws IOException {
    Schema schema =
        Schema.of(
            Field.of("n", false, new ArrowType.Int(32, true))
                .withDictionary(new DictionaryEncoding(1, new ArrowType.Int(32, true), false)));
    List<@Nullable Object> values = new ArrayList<>(IntStream.range(0, count).boxed().toList());
    Bytes stream = new Bytes();
    StreamWriter writer = new StreamWriter(stream, schema, Codec.NONE);
    try (Arena arena = Arena.ofConfined()) {
      writer.write(
          new ArrayBuilder(arena, Map.of(1L, values))
              .recordBatch(schema, count, List.of(values.reversed())));
    }
    writer.close();
    return stream.toByteArray();
  }

  /// A window may be for a client that only looks as if it had left.
  @Test
  void workOfAClientThatLeftEnds() throws IOException {
    put(SampleStreams.stream(LARGE, LARGE, LARGE, LARGE, LARGE));
    AtomicInteger asked = new AtomicInteger();
    try (Snapshot snapshot = snapshot()) {
      long bodyLength = snapshot.footer().recordBatches().getFirst().bodyLength();
      SelectedVersion selected = snapshot.select(USED);
      store.take();
      assertEnds(asked, selected::file);
      assertThat(store.take()).isBetween(5 * bodyLength, 5 * bodyLength + 5000);
      long byteSize =
          Cancellation.when(() -> true)
              .call(() -> snapshot.select(rows(LARGE - 5, 10)).file().byteSize());
      assertThat(byteSize).isPositive();
    }
    asked.set(-3);
    try (Snapshot snapshot = snapshot()) {
      long bodyLength = snapshot.footer().recordBatches().getFirst().bodyLength();
      store.take();
      assertEnds(asked, snapshot.select(USED)::file);
      assertThat(store.take())
          .as("in the pass for the layout, which reads ahead")
          .isBetween(6 * bodyLength, 10 * bodyLength + 5000);
      RecompressedMessages messages = snapshot.select(USED).recompressed(Codec.ZSTD);
      assertThatThrownBy(() ->
              Cancellation.when(() -> asked.incrementAndGet() >= 2)
                  .call(() -> {
                    messages.writeFile(new Bytes());
                    return null;
                  }))
          .isInstanceOf(CancelledException.class);
    }
  }

  /// Requires that work ends early. Its client has left at the second question.
  private static void assertEnds(
      AtomicInteger asked, ScopedValue.CallableOp<SelectedBytes, IOException> work) {
    assertThatThrownBy(() -> Cancellation.when(() -> asked.incrementAndGet() >= 2).call(work))
        .isInstanceOf(CancelledException.class);
  }

  @Test
  void workOfAClientThatLeftEndsWithinALargeBatch() throws IOException {
    put(SampleStreams.stream(15 * LARGE));
    try (Snapshot snapshot = snapshot()) {
      assertThatThrownBy(() -> Cancellation.when(() -> true).call(snapshot.select(USED)::file))
          .isInstanceOf(CancelledException.class);
      long byteSize =
          Cancellation.when(() -> true)
              .call(() -> snapshot.select(rows(LARGE - 5, 10)).file().byteSize());
      assertThat(byteSize).isPositive();
    }
  }

  @Test
  void readsOnlyBatchesWithSelectedRows() throws IOException {
    put(SampleStreams.stream(LARGE, LARGE, LARGE));
    try (Snapshot snapshot = snapshot()) {
      long bodyLength = snapshot.footer().recordBatches().getFirst().bodyLength();
      store.take();
      SelectedBytes file = snapshot.select(rows(LARGE + 5, 10)).file();
      read(file, 0, file.byteSize());
      assertThat(store.take()).isBetween(2 * bodyLength, 2 * bodyLength + 5000);
    }
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void anotherProcessServesTheSameBytes(Codec codec) throws IOException {
    put(SampleStreams.stream(codec, 100, 50, 100));
    Selection selection = new Selection(List.of(), 32, 180, 60, DictionaryValues.USED);
    byte[] before = file(selection);
    String id;
    try (Snapshot snapshot = snapshot()) {
      id = snapshot.select(selection).id();
    }
    datasets = new Datasets(store, DatasetOptions.DEFAULT);
    assertThat(file(selection)).isEqualTo(before);
    try (Snapshot snapshot = snapshot()) {
      assertThat(snapshot.select(selection).id())
          .isEqualTo(id)
          .isEqualTo("rows-32-212-sample-60-dictionaries-used");
    }
  }

  @Test
  void reducesDictionariesToTheWindow() throws IOException {
    put(SampleStreams.stream(30, 30));
    try (Arena arena = Arena.ofConfined()) {
      FileReader reader =
          new FileReader(MemorySegment.ofArray(file(rows(29, 3))), Limits.DEFAULT, arena);
      for (int i = 0; i < 2; i++) {
        ArrayData colors = reader.batch(i).columns().get(1);
        assertThat(Values.of(Objects.requireNonNull(colors.dictionary())))
            .containsExactly("blue", "red", "green");
      }
      assertThat(Values.of(reader.batch(0).columns().get(1))).containsExactly("blue");
      assertThat(Values.of(reader.batch(1).columns().get(1))).containsExactly("red", "green");
    }
  }

  @Test
  void damagedIndicesAreAnErrorOfTheServer() throws IOException {
    put(SampleStreams.stream(1000));
    Path data = Objects.requireNonNull(store.localPath(store.list("data/", null, 1).getFirst()));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rw-------"));
    try (Snapshot snapshot = snapshot();
        FileChannel channel = FileChannel.open(data, StandardOpenOption.WRITE)) {
      Block block = snapshot.footer().recordBatches().getFirst();
      byte[] body = new byte[(int) block.bodyLength()];
      Arrays.fill(body, (byte) 5);
      channel.write(ByteBuffer.wrap(body), block.offset() + block.metaDataLength());
    }
    try (Snapshot snapshot = snapshot()) {
      SelectedVersion selected = snapshot.select(rows(1, 10));
      assertThatThrownBy(selected::file).isInstanceOf(DamagedBlobException.class);
      RecompressedMessages messages = selected.recompressed(Codec.ZSTD);
      Bytes sent = new Bytes();
      assertThatThrownBy(() -> messages.writeStream(0, 0, sent))
          .isInstanceOf(DamagedBlobException.class);
      assertThat(sent.toByteArray()).isEmpty();
    }
  }

  @Test
  void leavesNoScratchFileBehind() throws IOException {
    put(SampleStreams.stream(Codec.ZSTD, LARGE, LARGE));
    file(USED);
    try (var files = Files.list(store.scratchFolder())) {
      assertThat(files).isEmpty();
    }
  }
}
