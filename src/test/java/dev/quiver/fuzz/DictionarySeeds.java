package dev.quiver.fuzz;

import dev.quiver.arrow.ipc.DictionaryStream;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Streams with dictionaries that change.
final class DictionarySeeds {

  private DictionarySeeds() {}

  static List<DictionaryStream> all() throws IOException {
    return List.of(replaced(), extendedStructs(), nested());
  }

  /// Returns a dictionary, a delta to it, and a replacement.
  private static DictionaryStream replaced() throws IOException {
    DictionaryStream stream =
        new DictionaryStream(encoded(Field.of("color", true, new ArrowType.Utf8()), 0));
    stream.dictionary(0, false, List.of("red", "green"));
    stream.batch(1, -1, 0);
    stream.dictionary(0, true, List.of("blue"));
    stream.batch(2);
    stream.dictionary(0, false, List.of("white"));
    stream.batch(0);
    return stream;
  }

  /// Returns a dictionary of structs, and a delta with nulls.
  private static DictionaryStream extendedStructs() throws IOException {
    Field number = Field.of("n", true, new ArrowType.Int(32, true));
    Field none = Field.of("none", true, new ArrowType.Struct());
    DictionaryStream stream =
        new DictionaryStream(
            encoded(Field.of("pair", true, new ArrowType.Struct(), number, none), 0));
    Object pair = Arrays.asList(7, List.of());
    stream.dictionary(0, false, List.of(pair, pair));
    stream.batch(1, -1, 0);
    stream.dictionary(0, true, Arrays.asList(null, Arrays.asList(null, null), pair));
    stream.batch(2, 3, 4);
    return stream;
  }

  /// Returns a dictionary before the inner one that it refers to, deltas to both, and a replacement
  /// of the inner one.
  private static DictionaryStream nested() throws IOException {
    Field word = encoded(Field.of("item", true, new ArrowType.Utf8()), 2);
    DictionaryStream stream =
        new DictionaryStream(encoded(Field.of("words", true, new ArrowType.List(), word), 1));
    stream.dictionary(1, false, List.of(List.of("a")), Map.of(2L, List.of("a")));
    stream.dictionary(2, false, List.of("a"));
    stream.batch(0);
    stream.dictionary(2, true, List.of("b"));
    stream.dictionary(1, true, List.of(List.of("b", "a")), Map.of(2L, List.of("a", "b")));
    stream.batch(1, 0);
    stream.dictionary(2, false, List.of("c"));
    stream.batch(1);
    stream.dictionary(1, true, List.of(List.of("c")), Map.of(2L, List.of("c")));
    return stream;
  }

  private static Field encoded(Field field, long id) {
    return field.withDictionary(new DictionaryEncoding(id, new ArrowType.Int(8, true), false));
  }
}
