package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.UnionMode;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.read.DictionaryValues;
import dev.quiver.store.read.SelectedBytes;
import dev.quiver.store.read.Selection;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Selections from a single batch or dictionary with many list views and union slots, which refer
/// to their children in an unfortunate order. Each runs in a JVM whose heap is a small part of it.
@Tag("long")
class LargeReferencesTest {

  private static final DictionaryEncoding LETTERS =
      new DictionaryEncoding(1, new ArrowType.Int(8, true), false);

  private static final Field LETTER =
      Field.of("letter", false, new ArrowType.FixedSizeBinary(1)).withDictionary(LETTERS);

  @TempDir private Path folder;

  /// The slots take 11 bytes each in list views, and 6 in unions, with their children.
  @ParameterizedTest
  @CsvSource({
    "views, used, 12000000",
    "views, sample, 6000000",
    "union, used, 24000000",
    "union, sample, 12000000",
    "dictionary, used, 3000000"
  })
  void referencesTakeNoHeap(String kind, String selection, long count) throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx32m",
                "-XX:MaxDirectMemorySize=8m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                LargeReferencesTest.class.getName(),
                folder.toString(),
                kind,
                selection,
                Long.toString(count))
            .redirectErrorStream(true)
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes());
      assertThat(output).isEqualTo("read " + count + System.lineSeparator());
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /// Uploads `args[3]` slots of the kind `args[1]`, and reads the selection `args[2]`.
  public static void main(String[] args) throws IOException {
    long count = Long.parseLong(args[3]);
    Datasets datasets =
        new Datasets(FolderBlobStore.open(Path.of(args[0])), DatasetOptions.DEFAULT);
    ByteSource body =
        switch (args[1]) {
          case "views" -> views(count);
          case "union" -> union(count);
          default -> dictionary(count);
        };
    VersionSummary summary =
        datasets
            .put(
                DatasetTestFolder.NAME,
                UploadData.Source.of(body, BodyFormat.UNKNOWN),
                new WriteCondition.None(),
                UploadOptions.KEEP,
                /* key= */ null)
            .summary();
    Selection selection =
        args[2].equals("used")
            ? new Selection(List.of(), 0, Long.MAX_VALUE, null, DictionaryValues.USED)
            : new Selection(List.of(), 0, Long.MAX_VALUE, (int) (count / 3), DictionaryValues.ALL);
    try (Snapshot snapshot = datasets.open(new DatasetReference(DatasetTestFolder.NAME, null))) {
      SelectedBytes file = snapshot.select(selection).file();
      long[] byteSize = new long[1];
      file.write(
          0, file.byteSize(), BlobSink.reading(segment -> byteSize[0] += segment.byteSize()));
      if (byteSize[0] != file.byteSize()) {
        throw new AssertionError(byteSize[0] + " bytes of " + file.byteSize());
      }
    }
    System.out.println("read " + summary.file().rows());
  }

  /// Returns a batch of list views of single items. They descend, and use each third item.
  private static ByteSource views(long count) throws IOException {
    Field field = Field.of("v", false, new ArrowType.ListView(), LETTER);
    return stream(
        Schema.of(field),
        List.of(letters()),
        count,
        List.of(new FieldNode(count, 0), new FieldNode(3 * count, 0)),
        descendingViews(count, i -> i % 26));
  }

  private static List<Part> descendingViews(long count, LongUnaryOperator items) {
    return List.of(
        Part.EMPTY,
        new Part(count, 4, i -> 3 * (count - 1 - i)),
        new Part(count, 4, _ -> 1),
        Part.EMPTY,
        new Part(3 * count, 1, items));
  }

  /// Returns a batch of a dense union, two slots of which share each value.
  private static ByteSource union(long count) throws IOException {
    Field field = Field.of("u", false, new ArrowType.Union(UnionMode.DENSE, List.of(0)), LETTER);
    return stream(
        Schema.of(field),
        List.of(letters()),
        count,
        List.of(new FieldNode(count, 0), new FieldNode(count / 2, 0)),
        List.of(
            new Part(count, 1, _ -> 0),
            new Part(count, 4, i -> i / 2),
            Part.EMPTY,
            new Part(count / 2, 1, i -> i % 26)));
  }

  /// Returns a dictionary of list views, of which each second one is used.
  private static ByteSource dictionary(long count) throws IOException {
    DictionaryEncoding encoding =
        new DictionaryEncoding(2, new ArrowType.Int(32, true), /* ordered= */ true);
    Field item = Field.of("item", false, new ArrowType.Int(8, true));
    Field field = Field.of("d", false, new ArrowType.ListView(), item).withDictionary(encoding);
    RecordBatchHeader values =
        header(
            count,
            List.of(new FieldNode(count, 0), new FieldNode(3 * count, 0)),
            descendingViews(count, _ -> 1));
    return stream(
        Schema.of(field),
        List.of(new Dictionary(2, values, descendingViews(count, _ -> 1))),
        count,
        List.of(new FieldNode(count, 0)),
        List.of(Part.EMPTY, new Part(count, 4, i -> (count - 1 - i) / 2 * 2)));
  }

  private static Dictionary letters() {
    List<Part> parts = List.of(Part.EMPTY, new Part(26, 1, i -> 'a' + i));
    return new Dictionary(1, header(26, List.of(new FieldNode(26, 0)), parts), parts);
  }

  private record Dictionary(long id, RecordBatchHeader header, List<Part> parts) {}

  /// A buffer of `count` integers, padded to a multiple of 8 bytes.
  private record Part(long count, int byteWidth, LongUnaryOperator integers) {

    static final Part EMPTY = new Part(0, 1, _ -> 0);

    long byteSize() {
      return count * byteWidth;
    }

    long paddedByteSize() {
      return byteSize() + 7 & -8;
    }

    ByteSource source() {
      return new ByteSource() {
        private long position;

        @Override
        public long read(MemorySegment destination) {
          if (position == paddedByteSize()) {
            return destination.byteSize() > 0 ? -1 : 0;
          }
          long start = position;
          long end = start + Math.min(destination.byteSize(), paddedByteSize() - start);
          for (; position < end; position++) {
            long index = position / byteWidth;
            long integer = index < count ? integers.applyAsLong(index) : 0;
            LittleEndian.setInt8(
                destination, position - start, (byte) (integer >>> 8 * (position % byteWidth)));
          }
          return end - start;
        }
      };
    }
  }

  private static RecordBatchHeader header(long length, List<FieldNode> nodes, List<Part> parts) {
    List<Buffer> buffers = new ArrayList<>();
    long offset = 0;
    for (Part part : parts) {
      buffers.add(new Buffer(offset, part.byteSize()));
      offset += part.paddedByteSize();
    }
    return new RecordBatchHeader(length, nodes, buffers, null, List.of());
  }

  private static long bodyLength(List<Part> parts) {
    return parts.stream().mapToLong(Part::paddedByteSize).sum();
  }

  private static ByteSource stream(
      Schema schema,
      List<Dictionary> dictionaries,
      long length,
      List<FieldNode> nodes,
      List<Part> parts)
      throws IOException {
    List<ByteSource> sources = new ArrayList<>();
    Bytes metadata = new Bytes();
    new MessageWriter(metadata).writeSchema(schema);
    for (Dictionary dictionary : dictionaries) {
      new MessageWriter(metadata)
          .write(
              new DictionaryBatchHeader(dictionary.id(), dictionary.header(), false),
              Metadata.EMPTY,
              bodyLength(dictionary.parts()));
      sources.add(metadata.source());
      dictionary.parts().forEach(part -> sources.add(part.source()));
      metadata = new Bytes();
    }
    new MessageWriter(metadata)
        .write(header(length, nodes, parts), Metadata.EMPTY, bodyLength(parts));
    sources.add(metadata.source());
    parts.forEach(part -> sources.add(part.source()));
    Bytes end = new Bytes();
    new MessageWriter(end).writeEndOfStream();
    sources.add(end.source());
    return BoundedMemoryTest.concatenated(sources.toArray(ByteSource[]::new));
  }
}
