package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.TestData;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.UnsupportedFormatException;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.formats.UploadData;
import dev.quiver.fuzz.Mutations;
import dev.quiver.server.inspect.Inspected;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests that an upload behaves as its report predicts: whether it is accepted, and whether its
/// messages change.
class InspectionAgreementTest {

  private static final int MUTATION_COUNT = 400;
  private static final DatasetName NAME = new DatasetName("inspected");

  /// The changes in a file outside of its messages.
  private static final Set<String> OUTSIDE_MESSAGES =
      Set.of("messages without a Block are removed", "bytes outside of messages are removed");

  @TempDir private Path folder;
  private Datasets datasets;
  private Path scratch;
  private final List<String> disagreements = new ArrayList<>();
  private int acceptedCount;
  private int keptCount;
  private int count;

  @BeforeEach
  void open() throws IOException {
    datasets = new Datasets(FolderBlobStore.open(folder.resolve("store")), DatasetOptions.DEFAULT);
    scratch = Files.createDirectory(folder.resolve("scratch"));
  }

  @Test
  void agreesOnGoldenFiles() throws IOException {
    for (GoldenCase golden : GoldenCase.all().toList()) {
      try (Arena arena = Arena.ofConfined()) {
        compare(golden + " as a stream", golden.stream(arena).toArray(LittleEndian.INT8));
        compare(golden + " as a file", golden.file(arena).toArray(LittleEndian.INT8));
      }
    }
    assertAgreement();
    assertThat(acceptedCount).isEqualTo(count);
    assertThat(keptCount).isBetween(1, acceptedCount - 1);
  }

  @Test
  void agreesOnFuzzedInputs() throws IOException {
    for (String corpus : List.of("stream", "file", "tensor-stream")) {
      Path inputs = TestData.arrowTestData().resolve("arrow-ipc-" + corpus);
      try (Stream<Path> files = Files.list(inputs)) {
        for (Path input : files.filter(Files::isRegularFile).sorted().toList()) {
          compare(input.getFileName().toString(), Files.readAllBytes(input));
        }
      }
    }
    assertAgreement();
    assertThat(count).isPositive();
  }

  @Test
  void agreesOnDamagedGoldenFiles() throws IOException {
    Mutations mutations = Mutations.of(TestData.arrowTestData());
    for (int i = 0; i < MUTATION_COUNT; i++) {
      compare("mutation " + i + " of " + mutations.origin(i), mutations.body(i));
    }
    assertAgreement();
    assertThat(acceptedCount).isBetween(MUTATION_COUNT / 20, MUTATION_COUNT * 3 / 4);
  }

  /// The input uses the whole free decompression budget. It would be rejected if the inspector or
  /// the upload decompressed any batch twice.
  @Test
  void agreesOnSmallBatchesThatExpandToTheBudget() throws IOException {
    compare("coalesced", zeros(Metadata.EMPTY));
    compare("not coalesced", zeros(Metadata.of(KeyValue.of("key", "value"))));
    assertAgreement();
    assertThat(acceptedCount).isEqualTo(2);
    assertThat(keptCount).isEqualTo(1);
  }

  /// Returns a stream of batches of 3 and 5 MiB, 256 MiB in total when decompressed.
  private static byte[] zeros(Metadata metadata) throws IOException {
    Field field = Field.of("n", false, new ArrowType.Int(8, true));
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(Schema.of(field));
    try (Arena arena = Arena.ofConfined()) {
      List<EncodedBody> bodies = new ArrayList<>();
      for (int rows : List.of(3 << 20, 5 << 20)) {
        MemorySegment values = arena.allocate(rows, 64);
        ArrayData column =
            new ArrayData(field, rows, 0, List.of(MemorySegment.NULL, values), List.of(), null);
        bodies.add(EncodedBody.of(rows, List.of(column), Codec.ZSTD, arena));
      }
      for (int i = 0; i < 64; i++) {
        writer.writeRecordBatch(bodies.get(i / 2 % 2), metadata);
      }
    }
    writer.writeEndOfStream();
    return bytes.toByteArray();
  }

  private void assertAgreement() {
    assertThat(disagreements).as(count + " inputs").isEmpty();
  }

  private void compare(String description, byte[] input) throws IOException {
    count++;
    String rejection = put(input);
    Inspected inspected;
    try {
      inspected = Inspected.of(MemorySegment.ofArray(input), scratch);
    } catch (UnsupportedFormatException | InputException e) {
      if (rejection == null) {
        disagreements.add(description + " is accepted, but no report: " + e.getMessage());
      }
      return;
    }
    boolean acceptable = inspected.summary().get("acceptable").booleanValue();
    if (acceptable != (rejection == null)) {
      disagreements.add(
          "%s: acceptable is %s, but an upload is %s; %s"
              .formatted(
                  description,
                  acceptable,
                  rejection == null ? "accepted" : "rejected: " + rejection,
                  inspected.findings()));
    } else if (acceptable) {
      acceptedCount++;
      compareMessages(description, input, inspected);
    }
  }

  private void compareMessages(String description, byte[] input, Inspected inspected)
      throws IOException {
    List<String> changes = new ArrayList<>();
    inspected.summary().get("changes").forEach(change -> changes.add(change.asString()));
    byte[] stored = stored();
    byte[] before = input;
    if (inspected.summary().get("format").asString().equals("file")) {
      before = messages(input);
      stored = Arrays.copyOf(stored, stored.length - 8);
      changes.removeAll(OUTSIDE_MESSAGES);
    }
    boolean kept = Arrays.equals(stored, before);
    keptCount += kept ? 1 : 0;
    if (kept != changes.isEmpty()) {
      disagreements.add(
          "%s: messages are %s, but the changes %s; %s"
              .formatted(description, kept ? "kept" : "changed", changes, inspected.findings()));
    }
  }

  /// Returns why an upload is rejected, or null if it is accepted.
  private @Nullable String put(byte[] input) throws IOException {
    ByteSource source = ByteSource.of(MemorySegment.ofArray(input));
    try {
      datasets.put(
          NAME,
          UploadData.Source.of(source, BodyFormat.UNKNOWN),
          new WriteCondition.None(),
          UploadOptions.DEFAULT,
          /* key= */ null);
      return null;
    } catch (InputException | UnsupportedFormatException | InvalidDataException e) {
      return e.getMessage();
    }
  }

  private byte[] stored() throws IOException {
    Decoded.Sink sink = new Decoded.Sink();
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, null))) {
      snapshot.read(snapshot.stream(), sink);
    }
    return sink.written().toArray(LittleEndian.INT8);
  }

  /// Returns the bytes from the start of a file to the first Block, and those of the Blocks, in
  /// physical order.
  private static byte[] messages(byte[] file) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    FileReader reader = new FileReader(MemorySegment.ofArray(file), Limits.DEFAULT, Arena.ofAuto());
    List<Block> blocks =
        Stream.concat(
                reader.footer().dictionaries().stream(), reader.footer().recordBatches().stream())
            .sorted(Comparator.comparingLong(Block::offset))
            .toList();
    if (file.length > 16) {
      int length = LittleEndian.getInt32(MemorySegment.ofArray(file), 12);
      bytes.write(file, 8, Math.clamp(length, 0, file.length - 16) + 8);
    }
    for (Block block : blocks) {
      bytes.write(file, (int) block.offset(), (int) (block.byteSize()));
    }
    return bytes.toByteArray();
  }
}
