package dev.quiver.ipc;

import dev.quiver.codec.Codec;
import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Schema;
import dev.quiver.metadata.Block;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A writer of every dictionary of a schema, once and before the first batch, inner ones first.
///
/// The first batch may lack a dictionary if all its slots are null. An empty one is written then,
/// since readers expect every id before the first batch.
final class DictionaryWriter {

  private final DictionaryFields fields;
  private final Codec codec;
  private final Map<Long, ArrayData> written = new HashMap<>();
  private boolean first = true;

  DictionaryWriter(Schema schema, Codec codec) {
    this.fields = DictionaryFields.of(schema);
    this.codec = codec;
  }

  /// Writes the dictionaries of `columns` for the first batch, and checks for later batches that
  /// they are the same.
  ///
  /// @throws IllegalArgumentException if a dictionary differs from the one written
  List<Block> write(List<ArrayData> columns, MessageWriter messages) throws IOException {
    Map<Long, ArrayData> used = new HashMap<>();
    columns.forEach(column -> collect(column, used));
    if (!first) {
      requireWritten(used);
      return List.of();
    }
    first = false;
    List<Block> blocks = new ArrayList<>();
    for (Map.Entry<Long, Field> entry : fields.byId().entrySet()) {
      ArrayData values = used.getOrDefault(entry.getKey(), ArrayData.empty(entry.getValue()));
      written.put(entry.getKey(), values);
      try (Arena arena = Arena.ofConfined()) {
        EncodedBody body = EncodedBody.of(values.length(), List.of(values), codec, arena);
        blocks.add(messages.writeDictionary(entry.getKey(), body));
      }
    }
    return blocks;
  }

  private void requireWritten(Map<Long, ArrayData> used) {
    used.forEach((id, values) -> {
      ArrayData before = written.get(id);
      if (before != values && !(before != null && before.equals(values))) {
        throw new IllegalArgumentException(
            "Expected dictionary " + id + " as in the first batch but found another one");
      }
    });
  }

  private static void collect(ArrayData array, Map<Long, ArrayData> used) {
    var encoding = array.field().dictionary();
    if (encoding != null && array.dictionary() != null) {
      used.putIfAbsent(encoding.id(), array.dictionary());
      collect(array.dictionary(), used);
    }
    array.children().forEach(child -> collect(child, used));
  }
}
