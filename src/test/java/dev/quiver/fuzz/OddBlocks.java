package dev.quiver.fuzz;

import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.fuzz.RawStream.Body;
import java.util.Collections;
import java.util.List;

/// Files whose footer points to the same bytes repeatedly, or to unusual positions.
final class OddBlocks {

  private static final ArrowType.Int INT8 = new ArrowType.Int(8, true);
  private static final Field NUMBER = Field.of("n", true, INT8);
  private static final int ROWS = 64 << 10;

  private OddBlocks() {}

  static List<Hostile> all() {
    RawStream one = RawStream.file(Schema.of(NUMBER)).batch(numbers());
    Block block = one.batches().getFirst();
    Block odd = new Block(block.offset() + 1, block.metaDataLength(), block.bodyLength());
    RawStream unaligned = RawStream.file(Schema.of(NUMBER)).bytes(new byte[1]).batch(numbers());
    RawStream within = RawStream.file(Schema.of(NUMBER)).batch(numbers()).batch(numbers());
    Block second = within.batches().getLast();
    Block both =
        new Block(block.offset(), block.metaDataLength(), second.end() - block.metaDataLength());
    return List.of(
        Hostile.rejected(
                "a Block 20000 times",
                one.end(Collections.nCopies(20_000, block)),
                400,
                "so some overlap at Footer.recordBatches")
            .asFile(),
        Hostile.rejected(
                "a Block one byte past the start of its message",
                RawStream.file(Schema.of(NUMBER)).batch(numbers()).end(List.of(odd)),
                400,
                "Expected")
            .asFile(),
        Hostile.rejected(
                "Blocks within another", within.end(List.of(both, block, second)), 400, "Expected")
            .asFile(),
        Hostile.rejected(
                "a Block of a dictionary 1000 times",
                dictionaries(),
                400,
                "Expected one non-delta batch of dictionary 1 in a file but found a second one")
            .asFile(),
        Hostile.accepted("a message at an odd offset", unaligned.end(unaligned.batches()))
            .asFile());
  }

  private static Body numbers() {
    return Body.of(ROWS, List.of(new FieldNode(ROWS, 0)), new byte[0], new byte[ROWS]);
  }

  /// Returns two empty dictionaries and enough other bytes to make the declared number plausible.
  private static byte[] dictionaries() {
    Field field = NUMBER.withDictionary(new DictionaryEncoding(1, INT8, false));
    RawStream file = RawStream.file(Schema.of(field)).bytes(new byte[1 << 20]);
    for (int i = 0; i < 2; i++) {
      file.dictionary(1, false, Body.of(0, List.of(new FieldNode(0, 0)), new byte[0], new byte[0]));
    }
    return file.dictionaryBlocks(1000).end(List.of());
  }
}
