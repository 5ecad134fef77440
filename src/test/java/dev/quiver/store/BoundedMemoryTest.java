package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Zstandard;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.BodyCompression;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.CompressionType;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.read.SelectedBytes;
import dev.quiver.store.read.SelectedVersion;
import dev.quiver.store.read.Selection;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Batches that are much larger than the memory of the process. Each upload runs in a JVM of its
/// own with a small heap.
@Tag("long")
class BoundedMemoryTest {

  private static final Schema NUMBERS = Schema.of(Field.of("n", true, new ArrowType.Int(64, true)));

  @TempDir private Path folder;

  @Test
  void ingestsABatchLargerThanMemory() throws Exception {
    assertIngested("plain", 400L << 20);
  }

  /// The decompressed batch fits only on disk.
  @Test
  void ingestsACompressedBatchLargerThanMemory() throws Exception {
    assertIngested("zstd", 200L << 20);
  }

  /// Realigning the buffers needs the whole body.
  @Test
  void ingestsAMisalignedBatchLargerThanMemory() throws Exception {
    assertIngested("misaligned", 200L << 20);
  }

  /// Each message has metadata of its own, which must not be in memory all at once.
  @Test
  void ingestsAFileWithMoreMetadataThanMemory() throws Exception {
    assertIngested("metadata", 64L << 20, 0);
  }

  /// Slicing needs the whole batch, decompressed and compressed again.
  @Test
  void slicesABatchLargerThanMemory() throws Exception {
    assertIngested("slice", 50L << 20);
  }

  private void assertIngested(String kind, long byteSize) throws Exception {
    assertIngested(kind, byteSize, byteSize / Long.BYTES);
  }

  private void assertIngested(String kind, long byteSize, long rows) throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx32m",
                "-XX:MaxDirectMemorySize=8m",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                BoundedMemoryTest.class.getName(),
                folder.toString(),
                kind,
                Long.toString(byteSize))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(output).isEqualTo("ingested " + rows + System.lineSeparator());
  }

  /// Uploads `args[2]` bytes and prints the number of their rows.
  public static void main(String[] args) throws IOException {
    // Zeros decompress to more than the default ratio allows.
    Limits limits =
        Limits.of(
            64L << 20, 16L << 30, Integer.MAX_VALUE, 100_000, 64, 1L << 30, 1L << 40, 1_000_000);
    Datasets datasets =
        new Datasets(
            FolderBlobStore.open(Path.of(args[0])),
            new DatasetOptions(limits, DatasetOptions.DEFAULT.requestBytes()));
    long byteSize = Long.parseLong(args[2]);
    ByteSource body =
        switch (args[1]) {
          case "plain" -> plain(byteSize, 0);
          case "misaligned" -> plain(byteSize, 4);
          case "metadata" -> metadata(byteSize, Path.of(args[0]).resolve("metadata.arrow"));
          default -> compressed(byteSize);
        };
    VersionSummary summary =
        datasets
            .put(DatasetTestFolder.NAME, body, BodyFormat.UNKNOWN, new WriteCondition.None())
            .summary();
    if (args[1].equals("slice")) {
      requireSliced(datasets, summary.file().rows());
    }
    System.out.println("ingested " + summary.file().rows());
  }

  /// Reads all rows except the first and the last, which slices the outer batches.
  private static void requireSliced(Datasets datasets, long rows) throws IOException {
    try (Snapshot snapshot = datasets.open(new DatasetReference(DatasetTestFolder.NAME, null))) {
      SelectedVersion selected = snapshot.select(new Selection(List.of(), 1, rows - 2));
      SelectedBytes file = selected.file();
      long[] byteSize = new long[1];
      file.write(
          0, file.byteSize(), BlobSink.reading(segment -> byteSize[0] += segment.byteSize()));
      if (byteSize[0] != file.byteSize() || !selected.encodesBodies()) {
        throw new AssertionError(byteSize[0] + " bytes");
      }
    }
  }

  /// Returns a stream of one column of zeros, which starts `gap` bytes into the body.
  private static ByteSource plain(long byteSize, int gap) throws IOException {
    long rows = byteSize / Long.BYTES;
    RecordBatchHeader header =
        new RecordBatchHeader(
            rows,
            List.of(new FieldNode(rows, 0)),
            List.of(new Buffer(0, 0), new Buffer(gap, byteSize)),
            null,
            List.of());
    Bytes start = start(NUMBERS, header, byteSize + gap);
    return concatenated(start.source(), zeros(byteSize + gap), endOfStream());
  }

  /// Returns a stream of a hundred batches, each with a hundred columns of zeros that share one
  /// compressed buffer. It has as many rows as one column of `byteSize` bytes.
  private static ByteSource compressed(long byteSize) throws IOException {
    int columns = 100;
    long columnByteSize = byteSize / columns;
    long rows = columnByteSize / Long.BYTES;
    Field[] fields = new Field[columns];
    List<FieldNode> nodes = Collections.nCopies(columns, new FieldNode(rows, 0));
    List<Buffer> buffers = new ArrayList<>();
    Bytes body = new Bytes();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocate(columnByteSize);
      MemorySegment frame =
          arena.allocate(Zstandard.INSTANCE.maximumCompressedByteSize(columnByteSize));
      long frameByteSize = Zstandard.INSTANCE.compress(source, frame);
      MemorySegment prefix = arena.allocate(8);
      LittleEndian.setInt64(prefix, 0, columnByteSize);
      body.write(prefix);
      body.write(frame.asSlice(0, frameByteSize));
      for (int i = 0; i < columns; i++) {
        fields[i] = NUMBERS.fields().getFirst();
        buffers.add(new Buffer(0, 0));
        buffers.add(new Buffer(0, 8 + frameByteSize));
      }
      body.bytes(new byte[(int) (-frameByteSize & 7)]);
    }
    RecordBatchHeader header =
        new RecordBatchHeader(
            rows, nodes, buffers, new BodyCompression(CompressionType.ZSTD), List.of());
    Bytes start = start(Schema.of(fields), header, body.toByteArray().length);
    start.bytes(body.toByteArray());
    MessageWriter writer = new MessageWriter(start);
    for (int i = 1; i < columns; i++) {
      writer.write(header, Metadata.EMPTY, body.toByteArray().length);
      start.bytes(body.toByteArray());
    }
    return concatenated(start.source(), endOfStream());
  }

  /// Returns a file of empty dictionaries with a mebibyte of metadata each.
  private static ByteSource metadata(long byteSize, Path path) throws IOException {
    int count = (int) (byteSize >> 20);
    Metadata metadata = Metadata.of(KeyValue.of("key", "v".repeat(1 << 20)));
    Field[] fields = new Field[count];
    for (int id = 0; id < count; id++) {
      fields[id] =
          Field.of("d" + id, true, new ArrowType.Int(8, true))
              .withDictionary(new DictionaryEncoding(id, new ArrowType.Int(8, true), false));
    }
    RecordBatchHeader empty =
        new RecordBatchHeader(
            0,
            List.of(new FieldNode(0, 0)),
            List.of(new Buffer(0, 0), new Buffer(0, 0)),
            null,
            List.of());
    FileChannel file =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    MessageWriter writer = new MessageWriter(part -> file.write(part.asByteBuffer()));
    writer.writeFileHeader();
    writer.writeSchema(Schema.of(fields));
    List<Block> blocks = new ArrayList<>();
    for (int id = 0; id < count; id++) {
      blocks.add(writer.write(new DictionaryBatchHeader(id, empty, false), metadata, 0));
    }
    writer.writeEndOfStream();
    writer.writeFooter(
        new Footer(MetadataVersion.V5, Schema.of(fields), blocks, List.of(), Metadata.EMPTY));
    file.position(0);
    return destination -> file.read(destination.asByteBuffer());
  }

  private static Bytes start(Schema schema, RecordBatchHeader header, long bodyLength)
      throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(schema);
    writer.write(header, Metadata.EMPTY, bodyLength);
    return bytes;
  }

  private static ByteSource endOfStream() throws IOException {
    Bytes bytes = new Bytes();
    new MessageWriter(bytes).writeEndOfStream();
    return bytes.source();
  }

  private static ByteSource zeros(long byteSize) {
    return new ByteSource() {
      private long remaining = byteSize;

      @Override
      public long read(MemorySegment destination) {
        long count = Math.min(destination.byteSize(), remaining);
        destination.asSlice(0, count).fill((byte) 0);
        remaining -= count;
        return count == 0 && destination.byteSize() > 0 ? -1 : count;
      }
    };
  }

  static ByteSource concatenated(ByteSource... sources) {
    return new ByteSource() {
      private int current;

      @Override
      public long read(MemorySegment destination) throws IOException {
        while (current < sources.length) {
          long count = sources[current].read(destination);
          if (count >= 0) {
            return count;
          }
          current++;
        }
        return -1;
      }
    };
  }
}
