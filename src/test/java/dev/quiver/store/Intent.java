package dev.quiver.store;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.IdempotencyKey;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// The action of a writer at one position in its sequence, which is the same in every process.
///
/// Each row names its intent, so that a reader sees which intents a dataset consists of.
///
/// @param rows the number of rows to put or append
record Intent(int writer, int sequence, Action action, DatasetName name, int rows) {

  /// An action on a dataset.
  enum Action {
    PUT,
    APPEND,
    /// Compacts what was appended, which changes no data.
    COMPACT,
    DELETE
  }

  /// The dataset to which all writers append.
  static final DatasetName SHARED = new DatasetName("shared");

  private static final int OWN_NAMES = 2;
  private static final int WORDS = 3;
  private static final ArrowType.Int INT32 = new ArrowType.Int(32, true);
  private static final Schema SCHEMA =
      Schema.of(
          Field.of("writer", false, INT32),
          Field.of("sequence", false, INT32),
          Field.of("row", false, INT32),
          Field.of("word", false, new ArrowType.Utf8())
              .withDictionary(new DictionaryEncoding(0, new ArrowType.Int(8, true), false)));

  /// Returns an intent of any kind: an append to or a compaction of the shared dataset, or any
  /// action on one of the writer's own datasets.
  static Intent any(int writer, int sequence) {
    SplittableRandom random = random(writer, sequence);
    int rows = rows(writer, sequence);
    int dice = random.nextInt(20);
    if (dice < 5) {
      return new Intent(writer, sequence, Action.APPEND, SHARED, rows);
    }
    if (dice < 6) {
      return new Intent(writer, sequence, Action.COMPACT, SHARED, rows);
    }
    Action action =
        dice < 12
            ? Action.APPEND
            : dice < 14 ? Action.COMPACT : dice < 18 ? Action.PUT : Action.DELETE;
    return new Intent(writer, sequence, action, own(writer, random.nextInt(OWN_NAMES)), rows);
  }

  /// Returns an append to the shared dataset.
  static Intent append(int writer, int sequence) {
    return of(writer, sequence, Action.APPEND, SHARED);
  }

  /// Returns an action on a given dataset.
  static Intent of(int writer, int sequence, Action action, DatasetName name) {
    return new Intent(writer, sequence, action, name, rows(writer, sequence));
  }

  /// Returns the datasets to which only this writer writes.
  static List<DatasetName> ownNames(int writer) {
    List<DatasetName> names = new ArrayList<>();
    for (int i = 0; i < OWN_NAMES; i++) {
      names.add(own(writer, i));
    }
    return names;
  }

  private static DatasetName own(int writer, int index) {
    return new DatasetName("own-" + writer + "-" + index);
  }

  /// Returns the number of rows of an intent, sometimes too many for one write.
  static int rows(int writer, int sequence) {
    SplittableRandom random = random(~writer, sequence);
    return 1 + random.nextInt(random.nextInt(6) == 0 ? 20_000 : 40);
  }

  private static SplittableRandom random(int writer, int sequence) {
    return new SplittableRandom(writer * 1_000_003L + sequence).split();
  }

  /// Returns the word of a row. No two intents share a word.
  static String word(int writer, int sequence, int row) {
    return "w" + writer + "s" + sequence + "r" + row % WORDS;
  }

  /// Returns the key of each request for this intent.
  IdempotencyKey key() {
    return new IdempotencyKey("writer-" + writer + "-intent-" + sequence);
  }

  /// Returns the stream to send: one or two batches, in any codec.
  byte[] body() throws IOException {
    List<Object> words = new ArrayList<>();
    for (int i = 0; i < WORDS; i++) {
      words.add(word(writer, sequence, i));
    }
    Codec codec =
        switch (sequence % 4) {
          case 0 -> Codec.LZ4;
          case 1 -> Codec.ZSTD;
          default -> Codec.NONE;
        };
    Bytes bytes = new Bytes();
    try (Arena arena = Arena.ofConfined()) {
      ArrayBuilder builder = new ArrayBuilder(arena, Map.of(0L, words));
      StreamWriter stream = new StreamWriter(bytes, SCHEMA, codec);
      int first = rows / 3;
      write(stream, builder, 0, first);
      write(stream, builder, first, rows);
      stream.close();
    }
    return bytes.toByteArray();
  }

  private void write(StreamWriter stream, ArrayBuilder builder, int from, int to)
      throws IOException {
    if (from == to) {
      return;
    }
    List<@Nullable Object> writers = new ArrayList<>();
    List<@Nullable Object> sequences = new ArrayList<>();
    List<@Nullable Object> numbers = new ArrayList<>();
    List<@Nullable Object> words = new ArrayList<>();
    for (int row = from; row < to; row++) {
      writers.add(writer);
      sequences.add(sequence);
      numbers.add(row);
      words.add(word(writer, sequence, row));
    }
    stream.write(
        builder.recordBatch(SCHEMA, to - from, List.of(writers, sequences, numbers, words)));
  }
}
