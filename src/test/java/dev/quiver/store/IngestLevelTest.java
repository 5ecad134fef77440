package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.arrow.validate.Level;
import dev.quiver.formats.UploadData;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.Selection;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.InvalidVersionException;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The validation of batches when they are stored. Checks that are skipped then happen before
/// values are used.
class IngestLevelTest {

  private static final Schema TEXT = Schema.of(Field.of("text", false, new ArrowType.Utf8()));
  private static final Schema COLORS =
      Schema.of(
          Field.of("color", true, new ArrowType.Utf8())
              .withDictionary(new DictionaryEncoding(1, new ArrowType.Int(32, true), false)));
  private static final String INVALID =
      "Expected UTF-8 but found 0xff in byte 0 at slots[0], record batch 1, field text of"
          + " data@1, which was stored at level OFFSETS";

  /// A fault of one batch, with the level that finds it.
  private enum Flaw {
    NONE(Level.DOMAIN),
    TEXT(Level.VALUES),
    OFFSET(Level.OFFSETS),
    LENGTH(Level.LAYOUT);

    private final Level level;

    Flaw(Level level) {
      this.level = level;
    }
  }

  @TempDir private Path folder;

  @Test
  void eachLevelRejectsTheFlawsThatItFinds() throws IOException {
    for (Level level : List.of(Level.LAYOUT, Level.OFFSETS, Level.VALUES)) {
      for (Flaw flaw : List.of(Flaw.TEXT, Flaw.OFFSET, Flaw.LENGTH)) {
        DatasetTestFolder data = data(level.name() + flaw, level);
        if (flaw.level.compareTo(level) <= 0) {
          assertThatThrownBy(() -> data.put(stream(flaw))).isInstanceOf(InvalidDataException.class);
          data.assertEmpty();
        } else {
          byte[] stream = stream(flaw);
          assertThat(data.put(stream).file().level()).isEqualTo(level);
          assertThat(data.stream()).isEqualTo(stream);
        }
      }
    }
  }

  @Test
  void recordsTheLowestLevelOfAllAppends() throws IOException {
    DatasetTestFolder data = data(Level.OFFSETS);
    assertThat(data.put(stream(Flaw.NONE)).file().level()).isEqualTo(Level.OFFSETS);
    assertThat(appended(Level.VALUES).file().level()).isEqualTo(Level.OFFSETS);
    assertThat(appended(Level.LAYOUT).file().level()).isEqualTo(Level.LAYOUT);
    assertThat(appended(Level.VALUES).file().level()).isEqualTo(Level.LAYOUT);
  }

  private VersionSummary appended(Level level) throws IOException {
    return data(level)
        .datasets
        .append(
            DatasetTestFolder.NAME,
            UploadData.Source.of(new Bytes().bytes(stream(Flaw.NONE)).source(), BodyFormat.STREAM),
            new WriteCondition.None(),
            UploadOptions.KEEP,
            null)
        .summary();
  }

  /// Rules of the domain only cause warnings.
  @Test
  void rejectsDomainAsTheLevelOfUploads() {
    assertThatThrownBy(() -> DatasetOptions.DEFAULT.withLevel(Level.DOMAIN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected layout, offsets or values but found domain at level");
  }

  @Test
  void validatesValuesWhenABatchIsRead() throws IOException {
    DatasetTestFolder data = data(Level.OFFSETS);
    data.put(stream(Flaw.TEXT));
    try (Snapshot snapshot = data.open();
        DecodedBatches batches = snapshot.decodedBatches()) {
      assertThat(Values.of(batches.read(0).columns().getFirst())).isEqualTo(List.of("a", "b"));
      assertInvalid(() -> batches.read(1));
      assertThat(Values.of(batches.read(2).columns().getFirst())).isEqualTo(List.of("a", "b"));
    }
  }

  @Test
  void validatesValuesWhenABatchIsSliced() throws IOException {
    DatasetTestFolder data = data(Level.OFFSETS);
    data.put(stream(Flaw.TEXT));
    try (Snapshot snapshot = data.open()) {
      assertThat(snapshot.select(new Selection(List.of(), 1, 1)).file().byteSize()).isPositive();
      assertInvalid(() -> snapshot.select(new Selection(List.of(), 3, 1)).file());
    }
  }

  @Test
  void compactsBatchesWithValidValuesAtAnyLevel() throws IOException {
    for (Level level : List.of(Level.OFFSETS, Level.LAYOUT)) {
      DatasetTestFolder data = data(level.name(), level);
      data.put(stream(Flaw.NONE));
      VersionSummary compacted =
          data.datasets.compact(DatasetTestFolder.NAME, new WriteCondition.None()).summary();
      assertThat(compacted.file().batches()).isEqualTo(1);
      assertThat(compacted.file().level()).isEqualTo(level);
    }
  }

  /// Otherwise the batches around it would never be compacted.
  @Test
  void compactionKeepsInvalidBatchesUnchanged() throws IOException {
    for (Flaw flaw : List.of(Flaw.TEXT, Flaw.OFFSET)) {
      DatasetTestFolder data = data("invalid " + flaw, Level.LAYOUT);
      byte[] stream = stream(flaw);
      data.put(stream);
      appendTo(data, stream(Flaw.NONE));
      appendTo(data, stream);
      VersionSummary compacted =
          data.datasets.compact(DatasetTestFolder.NAME, new WriteCondition.None()).summary();
      assertThat(compacted.file().batches()).isEqualTo(5);
      assertThat(compacted.file().rows()).isEqualTo(18);
      assertThat(compacted.file().level()).isEqualTo(Level.LAYOUT);
      try (Snapshot snapshot = data.open();
          DecodedBatches batches = snapshot.decodedBatches()) {
        for (int index : List.of(0, 2, 4)) {
          assertThat(Values.of(batches.read(index).columns().getFirst()))
              .isEqualTo(
                  Collections.nCopies(index == 2 ? 5 : 1, List.of("a", "b")).stream()
                      .flatMap(List::stream)
                      .toList());
        }
        for (int index : List.of(1, 3)) {
          assertThatThrownBy(() -> batches.read(index)).isInstanceOf(InvalidVersionException.class);
        }
      }
    }
  }

  private static void appendTo(DatasetTestFolder data, byte[] stream) throws IOException {
    data.datasets.append(
        DatasetTestFolder.NAME,
        UploadData.Source.of(new Bytes().bytes(stream).source(), BodyFormat.STREAM),
        new WriteCondition.None(),
        UploadOptions.KEEP,
        null);
  }

  /// Only verbatim batches are stored without a check of their values.
  @Test
  void validatesValuesBeforeCoalescingAnUpload() throws IOException {
    DatasetTestFolder data = data(Level.LAYOUT);
    for (Flaw flaw : List.of(Flaw.TEXT, Flaw.OFFSET)) {
      assertThatThrownBy(() -> data.put(stream(flaw), UploadOptions.DEFAULT))
          .isInstanceOf(InvalidDataException.class)
          .hasMessageContaining("record batch 1");
    }
    assertThat(data.put(stream(Flaw.NONE), UploadOptions.DEFAULT).file().level())
        .isEqualTo(Level.DOMAIN);
  }

  @Tag("long")
  @Test
  void validatesValuesBeforeSplittingAnUpload() throws IOException {
    Schema schema =
        Schema.of(Field.of("n", false, new ArrowType.Int(64, true)), TEXT.fields().getFirst());
    int rows = 8 << 20;
    try (Arena arena = Arena.ofConfined()) {
      ArrayBuilder builder = new ArrayBuilder(arena);
      ArrayData numbers =
          new ArrayData(
              schema.fields().getFirst(),
              rows,
              0,
              List.of(java.lang.foreign.MemorySegment.NULL, arena.allocate(8L * rows, 64)),
              List.of(),
              null);
      ArrayData text = builder.array(TEXT.fields().getFirst(), Collections.nCopies(rows, "a"));
      LittleEndian.setInt8(text.buffers().getLast(), rows - 1, (byte) 0xFF);
      Bytes bytes = new Bytes();
      StreamWriter writer = new StreamWriter(bytes, schema, Codec.NONE);
      writer.write(new RecordBatch(schema, rows, List.of(numbers, text)));
      writer.close();
      byte[] stream = bytes.toByteArray();
      DatasetTestFolder data = data(Level.LAYOUT);
      assertThat(data.put(stream).file().level()).isEqualTo(Level.LAYOUT);
      assertThatThrownBy(() -> data.put(stream, UploadOptions.DEFAULT))
          .isInstanceOf(InvalidDataException.class)
          .hasMessageStartingWith(
              "Expected UTF-8 but found 0xff in byte 0 at slots[%d]".formatted(rows - 1));
    }
  }

  /// Batches with dictionaries may have to be rewritten.
  @Test
  void alwaysValidatesDictionaryIndices() throws IOException {
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, COLORS, Codec.NONE);
    ArrayBuilder builder = new ArrayBuilder(Arena.ofAuto(), Map.of(1L, List.of("red")));
    RecordBatch batch = builder.recordBatch(COLORS, 1, List.of(List.of("red")));
    LittleEndian.setInt32(batch.columns().getFirst().buffers().getLast(), 0, 7);
    writer.write(batch);
    writer.close();
    assertThatThrownBy(() -> data(Level.LAYOUT).put(bytes.toByteArray()))
        .isInstanceOf(InvalidDataException.class)
        .hasMessageStartingWith("Expected 0 to less than 1, the length of the dictionary,");
  }

  /// Conversions are read at once.
  @Test
  void alwaysValidatesConversions() {
    assertThatThrownBy(() ->
            data(Level.LAYOUT)
                .datasets
                .convert(
                    UploadData.Source.of(
                        new Bytes().bytes(stream(Flaw.TEXT)).source(), BodyFormat.STREAM)))
        .isInstanceOf(InvalidDataException.class);
  }

  private static void assertInvalid(ThrowingCallable reading) {
    assertThatThrownBy(reading).isInstanceOf(InvalidVersionException.class).hasMessage(INVALID);
  }

  private DatasetTestFolder data(Level level) throws IOException {
    return data("store", level);
  }

  private DatasetTestFolder data(String name, Level level) throws IOException {
    return new DatasetTestFolder(folder.resolve(name), DatasetOptions.DEFAULT.withLevel(level));
  }

  /// Returns a stream of three batches, the second with the flaw.
  private static byte[] stream(Flaw flaw) throws IOException {
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, TEXT, Codec.NONE);
    for (int i = 0; i < 3; i++) {
      ArrayBuilder builder = new ArrayBuilder(Arena.ofAuto());
      RecordBatch batch =
          builder.recordBatch(TEXT, 2, List.<List<@Nullable Object>>of(List.of("a", "b")));
      ArrayData text = batch.columns().getFirst();
      switch (i == 1 ? flaw : Flaw.NONE) {
        case TEXT -> LittleEndian.setInt8(text.buffers().getLast(), 0, (byte) 0xFF);
        case OFFSET -> LittleEndian.setInt32(text.buffers().get(1), 4, 7);
        case LENGTH ->
            text =
                new ArrayData(
                    text.field(), 200, 0, text.buffers(), text.children(), text.dictionary());
        case NONE -> {}
      }
      writer.write(new RecordBatch(TEXT, text.length(), List.of(text)));
    }
    writer.close();
    return bytes.toByteArray();
  }
}
