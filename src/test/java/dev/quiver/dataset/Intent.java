package dev.quiver.dataset;

import dev.quiver.codec.Codec;
import dev.quiver.columnar.ArrayBuilder;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.DictionaryEncoding;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Schema;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.IdempotencyKey;
import dev.quiver.ipc.Bytes;
import dev.quiver.ipc.StreamWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// The action of a writer at one place in its sequence: the same in every process.
///
/// Each row says which intent it is of, so that whoever reads a dataset sees which intents it
/// consists of.
///
/// @param rows of what is put or appended
record Intent(int writer, int sequence, Action action, DatasetName name, int rows) {

  /// An action on a dataset.
  enum Action {
    PUT,
    APPEND,
    /// Joins what appends left in pieces, which changes nobody's data.
    COMPACT,
    DELETE
  }

  /// To which all writers append.
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

  /// Any of what writers do: appends to the dataset of all, and what else there is to two of one's
  /// own.
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

  /// An append to the dataset of all.
  static Intent append(int writer, int sequence) {
    return of(writer, sequence, Action.APPEND, SHARED);
  }

  /// Something that is done to a dataset of one's choice.
  static Intent of(int writer, int sequence, Action action, DatasetName name) {
    return new Intent(writer, sequence, action, name, rows(writer, sequence));
  }

  /// The datasets to which nobody else writes.
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

  /// How many an intent has: sometimes so many that they do not fit into one write.
  static int rows(int writer, int sequence) {
    SplittableRandom random = random(~writer, sequence);
    return 1 + random.nextInt(random.nextInt(6) == 0 ? 20_000 : 40);
  }

  private static SplittableRandom random(int writer, int sequence) {
    return new SplittableRandom(writer * 1_000_003L + sequence).split();
  }

  /// The word of a row: each intent has words that no other has.
  static String word(int writer, int sequence, int row) {
    return "w" + writer + "s" + sequence + "r" + row % WORDS;
  }

  /// Returns the key that a repeated intent is sent with.
  IdempotencyKey key() {
    return new IdempotencyKey("writer-" + writer + "-intent-" + sequence);
  }

  /// The stream that is sent: one batch or two, in any codec.
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
