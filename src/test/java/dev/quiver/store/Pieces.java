package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The pieces of a dataset, each with all its rows in order.
final class Pieces {

  /// The rows of one intent.
  record Piece(int writer, int sequence) {

    static Piece of(Intent intent) {
      return new Piece(intent.writer(), intent.sequence());
    }
  }

  private final List<Piece> pieces = new ArrayList<>();
  private int row;

  private Pieces() {}

  static List<Piece> ofFile(byte[] file) {
    Pieces pieces = new Pieces();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(file.length, 64).copyFrom(MemorySegment.ofArray(file));
      FileReader reader = new FileReader(bytes, Limits.DEFAULT, arena);
      for (int i = 0; i < reader.batchCount(); i++) {
        pieces.add(reader.batch(i));
      }
    }
    return pieces.checked();
  }

  static List<Piece> ofStream(byte[] stream) throws IOException {
    Pieces pieces = new Pieces();
    ByteSource source = ByteSource.of(MemorySegment.ofArray(stream));
    try (StreamReader reader = new StreamReader(source, Limits.DEFAULT)) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        pieces.add(batch);
      }
    }
    return pieces.checked();
  }

  private void add(RecordBatch batch) {
    Array.FixedWidth writers = (Array.FixedWidth) Array.of(batch.columns().get(0));
    Array.FixedWidth sequences = (Array.FixedWidth) Array.of(batch.columns().get(1));
    Array.FixedWidth rows = (Array.FixedWidth) Array.of(batch.columns().get(2));
    Array.DictionaryEncoded words = (Array.DictionaryEncoded) Array.of(batch.columns().get(3));
    Array.Bytes dictionary = (Array.Bytes) words.dictionary();
    for (long i = 0; i < batch.length(); i++) {
      int writer = (int) writers.integer(i);
      int sequence = (int) sequences.integer(i);
      Piece piece = new Piece(writer, sequence);
      if (pieces.isEmpty() || !pieces.getLast().equals(piece)) {
        assertLastIsComplete();
        pieces.add(piece);
        row = 0;
      }
      String word = dictionary.text(words.index(i));
      if (rows.integer(i) != row || !word.equals(Intent.word(writer, sequence, row))) {
        throw new AssertionError(
            "Expected row %d of %s but found row %d with %s"
                .formatted(row, piece, rows.integer(i), word));
      }
      row++;
    }
  }

  private List<Piece> checked() {
    assertLastIsComplete();
    return List.copyOf(pieces);
  }

  private void assertLastIsComplete() {
    if (!pieces.isEmpty()) {
      Piece last = pieces.getLast();
      int rows = Intent.rows(last.writer(), last.sequence());
      assertThat(row).as("rows of %s", last).isEqualTo(rows);
    }
  }
}
