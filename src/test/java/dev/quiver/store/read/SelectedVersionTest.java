package dev.quiver.store.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.StreamCodecs;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.ipc.TruncationPoints;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.FooterDecoder;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.transform.InvalidColumnsException;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.CountingStore;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.Datasets;
import dev.quiver.store.SampleStreams;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.blob.BlockChecksums;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.file.VersionCaches;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.Sidecar;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The data that is read, decoded and cached to serve selected columns and rows.
/// `golden.ArrowJavaSelectionTest` checks their values.
class SelectedVersionTest {

  private static final int LARGE = 100_000;

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

  private static Selection columns(String... columns) {
    return new Selection(List.of(columns), 0, Long.MAX_VALUE);
  }

  private static Selection rows(long offset, long limit) {
    return new Selection(List.of(), offset, limit);
  }

  private byte[] file(Selection selection) throws IOException {
    try (Snapshot snapshot = snapshot()) {
      return read(snapshot.select(selection));
    }
  }

  private static byte[] read(SelectedVersion selected) throws IOException {
    SelectedBytes file = selected.file();
    return read(file, 0, file.byteSize());
  }

  private static byte[] read(SelectedBytes selected, long byteOffset, long byteSize)
      throws IOException {
    Bytes bytes = new Bytes();
    selected.write(byteOffset, byteSize, BlobSink.reading(bytes));
    return bytes.toByteArray();
  }

  private static Footer footer(byte[] file) {
    int byteSize = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 10);
    byte[] footer = Arrays.copyOfRange(file, file.length - 10 - byteSize, file.length - 10);
    return FooterDecoder.decode(MemorySegment.ofArray(footer), Limits.DEFAULT);
  }

  private static List<@Nullable Object> numbers(byte[] file) throws IOException {
    List<@Nullable Object> numbers = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      FileReader reader = new FileReader(MemorySegment.ofArray(file), Limits.DEFAULT, arena);
      for (int i = 0; i < reader.batchCount(); i++) {
        numbers.addAll(Values.of(reader.batch(i).columns().getFirst()));
      }
    }
    return numbers;
  }

  private static List<@Nullable Object> expected(long... parts) {
    List<@Nullable Object> numbers = new ArrayList<>();
    for (int i = 0; i < parts.length; i += 2) {
      for (long number = parts[i]; number < parts[i + 1]; number++) {
        numbers.add(number % 5 == 4 ? null : number);
      }
    }
    return numbers;
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void layoutOfColumnsReadsOnlyMetadata(Codec codec) throws IOException {
    VersionSummary summary = put(SampleStreams.stream(codec, LARGE, LARGE));
    try (Snapshot snapshot = snapshot()) {
      snapshot.footer();
      store.take();
      SelectedVersion selected = snapshot.select(columns("number"));
      assertThat(store.take()).isZero();
      long byteSize = selected.file().byteSize();
      assertThat(store.take()).isBetween(1L, 5000L);
      assertThat(byteSize).isGreaterThan(100_000).isLessThan(summary.file().byteSize());
    }
  }

  @Test
  void layoutOfWholeBatchesReadsOnlyTheSchema() throws IOException {
    put(SampleStreams.stream(LARGE, LARGE, LARGE));
    try (Snapshot snapshot = snapshot()) {
      snapshot.footer();
      store.take();
      assertThat(snapshot.select(rows(LARGE, LARGE)).file().byteSize()).isGreaterThan(LARGE);
      // The block of the schema has the start of the file, too.
      assertThat(store.take()).isEqualTo(8 + snapshot.schemaMessage().byteSize());
    }
  }

  @Test
  void readsOnlyTheSelectedBuffers() throws IOException {
    VersionSummary summary = put(SampleStreams.stream(Codec.LZ4, LARGE, LARGE));
    try (Snapshot snapshot = snapshot()) {
      SelectedVersion selected = snapshot.select(columns("color"));
      long byteSize = selected.file().byteSize();
      store.take();
      read(selected);
      assertThat(store.take())
          .isLessThan(byteSize + 5000)
          .isLessThan(summary.file().byteSize() / 2);
    }
  }

  @Test
  void byteRangeReadsOnlyItsOwnData() throws IOException {
    put(SampleStreams.stream(LARGE, LARGE, LARGE));
    Block last = footer(file(columns("number"))).recordBatches().getLast();
    try (Snapshot snapshot = snapshot()) {
      SelectedBytes file = snapshot.select(columns("number")).file();
      store.take();
      read(file, last.end() - 10, 1);
      // A block is checked whole.
      assertThat(store.take()).isLessThan(10_000);
    }
  }

  @Test
  void byteRangeAfterASlicedBatchDoesNotDecodeIt() throws IOException {
    put(SampleStreams.stream(LARGE));
    Block last = footer(file(rows(5, LARGE))).recordBatches().getLast();
    try (Snapshot snapshot = snapshot()) {
      store.take();
      SelectedBytes file = snapshot.select(rows(5, LARGE)).file();
      read(file, last.end(), file.byteSize() - last.end());
      read(file, 0, 8);
      assertThat(store.take()).isLessThan(1000);
    }
  }

  @Test
  void computesTheLayoutOncePerVersionAndSelection() throws IOException {
    put(SampleStreams.stream(Codec.ZSTD, LARGE, LARGE));
    Selection selection = new Selection(List.of("number"), 10, LARGE);
    long byteSize;
    try (Snapshot snapshot = snapshot()) {
      byteSize = snapshot.select(selection).file().byteSize();
    }
    store.take();
    try (Snapshot snapshot = snapshot()) {
      assertThat(snapshot.select(selection).file().byteSize()).isEqualTo(byteSize);
      assertThat(snapshot.select(new Selection(List.of("[0]"), 10, LARGE)).file().byteSize())
          .isEqualTo(byteSize);
    }
    assertThat(store.take()).isZero();
    put(SampleStreams.stream(Codec.ZSTD, LARGE));
    try (Snapshot snapshot = snapshot()) {
      assertThat(snapshot.select(selection).file().byteSize()).isNotEqualTo(byteSize);
    }
  }

  @Test
  void anotherProcessServesTheSameBytes() throws IOException {
    put(SampleStreams.stream(Codec.ZSTD, 100, 50, 100));
    Selection selection = new Selection(List.of("color,number"), 10, 200);
    byte[] before = file(selection);
    String id;
    try (Snapshot snapshot = snapshot()) {
      id = snapshot.select(selection).id();
    }
    datasets = new Datasets(store, DatasetOptions.DEFAULT);
    assertThat(file(selection)).isEqualTo(before);
    try (Snapshot snapshot = snapshot()) {
      assertThat(snapshot.select(selection).id()).isEqualTo(id);
    }
  }

  @Test
  void readsASlicedBatchOnceForManyByteRanges() throws IOException {
    put(SampleStreams.stream(LARGE));
    Block batch = footer(file(rows(5, LARGE / 2))).recordBatches().getFirst();
    try (Snapshot snapshot = snapshot()) {
      Block stored = snapshot.footer().recordBatches().getFirst();
      store.take();
      SelectedBytes file = snapshot.select(rows(5, LARGE / 2)).file();
      for (int i = 0; i < 20; i++) {
        read(file, batch.offset() + 1000L * i, 10);
      }
      assertThat(store.take()).isLessThan(2 * stored.bodyLength());
    }
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void slicedBatchKeepsItsCodec(Codec codec) throws IOException {
    put(SampleStreams.stream(codec, 100, 100, 100));
    byte[] file = file(new Selection(List.of("number"), 50, 200));
    assertThat(StreamCodecs.ofFile(MemorySegment.ofArray(file)))
        .containsExactlyElementsOf(Collections.nCopies(3, codec));
    assertThat(numbers(file)).isEqualTo(expected(50, 100, 0, 100, 0, 50));
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void sampleKeepsTheCodecOfItsBatches(Codec codec) throws IOException {
    put(SampleStreams.stream(codec, 100, 100, 100));
    byte[] file = file(new Selection(List.of("number"), 0, 300, 4));
    assertThat(StreamCodecs.ofFile(MemorySegment.ofArray(file)))
        .containsExactlyElementsOf(Collections.nCopies(3, codec));
    assertThat(numbers(file)).isEqualTo(expected(0, 1, 75, 76, 50, 51, 25, 26));
  }

  @Test
  void sampleReadsOnlyBatchesWithItsRows() throws IOException {
    int[] batches = IntStream.generate(() -> 10_000).limit(50).toArray();
    put(SampleStreams.stream(batches));
    try (Snapshot snapshot = snapshot()) {
      long bodyLength = snapshot.footer().recordBatches().getFirst().bodyLength();
      store.take();
      SelectedVersion selected = snapshot.select(new Selection(List.of(), 0, Long.MAX_VALUE, 5));
      assertThat(selected.batches()).isEqualTo(5);
      assertThat(store.take()).isZero();
      byte[] file = read(selected);
      // The rows of a small sample are kept from the layout to the response.
      assertThat(store.take()).isBetween(5 * bodyLength, 6 * bodyLength);
      assertThat(numbers(file)).hasSize(5);
      try (DecodedBatches decoded = selected.decodedBatches()) {
        store.take();
        assertThat(decoded.read(decoded.batchOf(4)).length()).isEqualTo(1);
        assertThat(store.take()).isBetween(bodyLength, bodyLength + 5000);
      }
    }
  }

  @Tag("long")
  @Test
  void sampleOfMoreThanIsKeptIsComputedAgain() throws IOException {
    int[] batches = IntStream.generate(() -> 1 << 20).limit(12).toArray();
    put(SampleStreams.stream(batches));
    // No batch has the same rows as another one.
    int count = 5_999_993;
    byte[] file = file(new Selection(List.of(), 0, Long.MAX_VALUE, count));
    assertThat(file.length).isGreaterThan(17 << 20);
    List<@Nullable Object> numbers = numbers(file);
    assertThat(numbers).hasSize(count);
    for (int i = 0; i < count; i += 1001) {
      long number = i * (12L << 20) / count % (1 << 20);
      assertThat(numbers.get(i)).isEqualTo(number % 5 == 4 ? null : (Object) number);
    }
    try (Snapshot snapshot = snapshot()) {
      SelectedBytes again =
          snapshot.select(new Selection(List.of(), 0, Long.MAX_VALUE, count)).file();
      for (int start : new int[] {file.length - 100_000, file.length / 2, 1_000_000, 5}) {
        assertThat(read(again, start, 5000))
            .isEqualTo(Arrays.copyOfRange(file, start, start + 5000));
      }
    }
  }

  @Test
  void footerHasTheRowCountsForPolars() throws IOException {
    put(SampleStreams.stream(10, 20, 30));
    byte[] file = file(new Selection(List.of("number"), 5, 40));
    Footer footer = footer(file);
    assertThat(footer.customMetadata().get("__POLARS_IPC_METADATA"))
        .isEqualTo(ByteString.of("{\"record_batch_cum_len\":[5,25,40]}"));
    assertThat(footer.schema().fields()).extracting(Field::name).containsExactly("number");
    assertThat(footer.dictionaries()).isEmpty();
    assertThat(footer.recordBatches()).hasSize(3);
  }

  @Test
  void streamIsAPartOfTheFile() throws IOException {
    put(SampleStreams.stream(10, 20));
    try (Snapshot snapshot = snapshot()) {
      SelectedVersion selected = snapshot.select(rows(3, 20));
      byte[] file = read(selected);
      SelectedBytes stream = selected.stream();
      int end = 8 + (int) stream.byteSize();
      assertThat(read(stream, 0, stream.byteSize())).isEqualTo(Arrays.copyOfRange(file, 8, end));
      assertThat(read(stream, 100, stream.byteSize() - 100))
          .isEqualTo(Arrays.copyOfRange(file, 108, end));
      assertThat(selected.schema()).isEqualTo(snapshot.schema());
      assertThatThrownBy(() -> read(selected.file(), 1, file.length))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> read(stream, 1, stream.byteSize()))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  /// The stream starts 8 bytes into the file.
  @Test
  void truncationPointsAreRelativeToFileAndStream() throws IOException {
    put(SampleStreams.stream(10, 20));
    try (Snapshot snapshot = snapshot()) {
      SelectedVersion selected = snapshot.select(rows(3, 20));
      Footer footer = footer(read(selected));
      for (Block block :
          List.of(footer.dictionaries().getFirst(), footer.recordBatches().getLast())) {
        long body = block.offset() + block.metaDataLength();
        TruncationPoints ofFile = selected.file().truncationPoints();
        assertThat(ofFile.atOrBefore(body - 1)).isLessThan(block.offset());
        assertThat(ofFile.atOrBefore(body)).isEqualTo(body);
        assertThat(ofFile.atOrBefore(block.end())).isEqualTo(block.end() - 1);
        TruncationPoints ofStream = selected.stream().truncationPoints();
        assertThat(ofStream.atOrBefore(body - 9)).isLessThan(block.offset() - 8);
        assertThat(ofStream.atOrBefore(body - 8)).isEqualTo(body - 8);
        assertThat(ofStream.atOrBefore(block.end() - 8)).isEqualTo(block.end() - 9);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "number;color, 0, 30, ''",
        "-, 0, 30, ''",
        "-, 0, 9223372036854775807, ''",
        "[0];[1], 0, 99, ''",
        "color, 0, 99, columns-1",
        "[1], 0, 30, columns-1",
        "color;number, 0, 99, columns-1.0",
        "color;number;color, 0, 99, columns-1.0",
        "-, 1, 9223372036854775807, rows-1-30",
        "-, 1, 29, rows-1-30",
        "-, 0, 29, rows-0-29",
        "-, 30, 1, rows-30-30",
        "-, 9223372036854775807, 9223372036854775807, rows-30-30",
        "-, 0, 0, rows-0-0",
        "number, 7, 3, columns-0-rows-7-10",
        "number, -23, 3, columns-0-rows-7-10",
        "-, -30, 99, ''",
        "-, -31, 99, ''",
        "-, -9223372036854775808, 9223372036854775807, ''",
        "-, -9223372036854775808, 2, rows-0-2",
        "-, -29, 29, rows-1-30",
        "-, -1, 0, rows-29-29"
      })
  void equalSelectionsHaveTheSameId(@Nullable String columns, long offset, long limit, String id)
      throws IOException {
    put(SampleStreams.stream(10, 20));
    List<String> tokens = columns == null ? List.of() : Arrays.asList(columns.split(";"));
    try (Snapshot snapshot = snapshot()) {
      SelectedVersion selected = snapshot.select(new Selection(tokens, offset, limit));
      assertThat(selected.id()).isEqualTo(id);
      assertThat(selected.isAll()).isEqualTo(id.isEmpty());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 9223372036854775807, 7, rows-0-30-sample-7",
    "-20, 9223372036854775807, 7, rows-10-30-sample-7",
    "10, 20, 7, rows-10-30-sample-7",
    "10, 20, 20, rows-10-30",
    "10, 20, 2147483647, rows-10-30",
    "0, 99, 30, ''",
    "0, 99, 2147483647, ''",
    "10, 20, 0, rows-10-10",
    "30, 20, 5, rows-30-30",
    "0, 0, 5, rows-0-0"
  })
  void idOfASampleNamesItsWindow(long offset, long limit, int sample, String id)
      throws IOException {
    put(SampleStreams.stream(10, 20));
    try (Snapshot snapshot = snapshot()) {
      SelectedVersion selected = snapshot.select(new Selection(List.of(), offset, limit, sample));
      assertThat(selected.id()).isEqualTo(id);
      assertThat(selected.isAll()).isEqualTo(id.isEmpty());
    }
  }

  @Test
  void selectionOfManyColumnsHasAShortId() throws IOException {
    int count = 1000;
    Schema schema =
        Schema.of(
            IntStream.range(0, count)
                .mapToObj(i -> Field.of("n" + i, true, SampleStreams.INT32))
                .toArray(Field[]::new));
    Bytes stream = new Bytes();
    StreamWriter writer = new StreamWriter(stream, schema, Codec.NONE);
    writer.write(
        SampleStreams.builder()
            .recordBatch(schema, 1, Collections.nCopies(count, Collections.singletonList(1))));
    writer.close();
    put(stream.toByteArray());
    List<String> odd = IntStream.range(0, count / 2).mapToObj(i -> "n" + (2 * i + 1)).toList();
    try (Snapshot snapshot = snapshot()) {
      String id = snapshot.select(new Selection(odd, 0, 9)).id();
      assertThat(id).matches("columns-sha256-[0-9a-f]{32}");
      assertThat(snapshot.select(new Selection(odd.reversed(), 0, 9)).id()).isNotEqualTo(id);
      assertThat(snapshot.select(columns(String.join(",", odd))).id()).isEqualTo(id);
    }
  }

  @Test
  void rejectsUnknownColumnsBeforeReadingData() throws IOException {
    put(SampleStreams.stream(10));
    try (Snapshot snapshot = snapshot()) {
      snapshot.footer();
      store.take();
      assertThatThrownBy(() -> snapshot.select(columns("numbers")))
          .isInstanceOf(InvalidColumnsException.class)
          .hasMessage(
              "Expected one field named \"numbers\" but found none at columns \"numbers\": the nearest is \"number\"");
      assertThat(store.take()).isZero();
    }
    assertThatThrownBy(() -> rows(0, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected 0 or more but found limit -1 and sample null");
    assertThatThrownBy(() -> new Selection(List.of(), 0, 5, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected 0 or more but found limit 5 and sample -1");
  }

  /// Even bodies that are not valid frames are copied.
  @Test
  void doesNotDecodeWholeBatches() throws IOException {
    put(SampleStreams.stream(Codec.ZSTD, 1000, 1000));
    byte[] intact = file(columns("color"));
    damageBodies();
    // Other caches have nothing of the version.
    try (Snapshot snapshot = snapshot(new SelectedLayouts(1 << 20))) {
      byte[] damaged = read(snapshot.select(columns("color")));
      assertThat(damaged).hasSameSizeAs(intact).isNotEqualTo(intact);
      SelectedVersion sliced = snapshot.select(rows(1, 10));
      assertThatThrownBy(sliced::file)
          .isInstanceOf(IOException.class)
          .hasMessage("Stored data is damaged");
    }
  }

  private void damageBodies() throws IOException {
    Path file = Objects.requireNonNull(store.localPath(store.list("data/", null, 1).getFirst()));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    try (Snapshot snapshot = snapshot();
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (Block block : snapshot.footer().recordBatches()) {
        byte[] body = new byte[(int) block.bodyLength()];
        Arrays.fill(body, (byte) 1);
        channel.write(ByteBuffer.wrap(body), block.offset() + block.metaDataLength());
      }
    }
    // Whatever is wrong with them, they are what was stored.
    String key = store.list("data/", null, 1).getFirst();
    BlockChecksums.Builder checksums = new BlockChecksums.Builder();
    checksums.update(MemorySegment.ofArray(Files.readAllBytes(file)));
    store.delete(StoreKeys.sidecar(key));
    store.putIfAbsent(StoreKeys.sidecar(key), Sidecar.of(checksums.build()).write());
  }

  @Test
  void boundsTheSizeOfCachedLayoutsButKeepsTheLast() throws IOException {
    put(SampleStreams.stream(IntStream.generate(() -> 2).limit(100).toArray()));
    SelectedLayouts layouts = new SelectedLayouts(5000);
    try (Snapshot snapshot = snapshot(layouts)) {
      for (int i = 0; i < 50; i++) {
        snapshot.select(rows(2 * i, 4)).file();
        assertThat(layouts.byteSize()).isBetween(1000L, 5000L);
      }
      store.take();
      snapshot.select(rows(98, 4)).file();
      assertThat(store.take()).isZero();
      try (Snapshot other = snapshot(layouts)) {
        store.take();
        other.select(rows(0, 4)).file();
        assertThat(store.take()).isPositive();
      }
      snapshot.select(columns("color")).file();
      assertThat(layouts.byteSize()).isBetween(5001L, 20_000L);
      store.take();
      snapshot.select(columns("color")).file();
      assertThat(store.take()).isZero();
    }
  }

  private Snapshot snapshot(SelectedLayouts layouts) throws IOException {
    Catalog catalog = new Catalog(store, InstantSource.system(), Duration.ZERO, Retention.DEFAULT);
    return Snapshot.open(
        store,
        catalog.open(new DatasetReference(DatasetTestFolder.NAME, null)),
        new InFlightBytes(0),
        new VersionCaches(1 << 20),
        layouts);
  }

  @Test
  void decodesOnlyTheSelectedRows() throws IOException {
    put(SampleStreams.stream(Codec.LZ4, 10, 20, 30));
    try (Snapshot snapshot = snapshot();
        DecodedBatches batches =
            snapshot.select(new Selection(List.of("color"), 15, 30)).decodedBatches()) {
      assertThat(batches.count()).isEqualTo(2);
      RecordBatch first = batches.read(0);
      assertThat(first.length()).isEqualTo(15);
      assertThat(Values.of(first.columns().getFirst())).startsWith("blue", "red");
      assertThat(first.customMetadata()).isEqualTo(Metadata.EMPTY);
      assertThat(batches.read(1).length()).isEqualTo(15);
      assertThatThrownBy(() -> batches.read(2)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void leavesNoScratchFileBehind() throws IOException {
    put(SampleStreams.stream(Codec.ZSTD, LARGE, LARGE));
    file(rows(10, LARGE));
    try (var files = Files.list(store.scratchFolder())) {
      assertThat(files).isEmpty();
    }
  }
}
