package dev.quiver.arrow.ipc;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A writer of every dictionary of a schema before the first batch, inner ones first, and of those
/// that replace them before later batches.
///
/// The first batch may lack a dictionary if all its slots are null. An empty one is written then,
/// since readers expect every id before the first batch.
final class DictionaryWriter {

  private final DictionaryFields fields;
  private final Codec codec;
  private final boolean replaces;
  private final Map<Long, ArrayData> written = new HashMap<>();
  private boolean first = true;

  /// @param replaces whether the format lets a dictionary replace another one, as streams do
  DictionaryWriter(Schema schema, Codec codec, boolean replaces) {
    this.fields = DictionaryFields.of(schema);
    this.codec = codec;
    this.replaces = replaces;
  }

  /// Writes the dictionaries of `columns` that differ from the batch before.
  ///
  /// @throws IllegalArgumentException if a dictionary differs from the one written, and the format
  ///   has no replacements
  List<Block> write(List<ArrayData> columns, MessageWriter messages) throws IOException {
    Map<Long, ArrayData> used = new HashMap<>();
    columns.forEach(column -> collect(column, used));
    List<Block> blocks = new ArrayList<>();
    for (Map.Entry<Long, Field> entry : fields.byId().entrySet()) {
      long id = entry.getKey();
      ArrayData values = used.get(id);
      if (values == null && first) {
        values = ArrayData.empty(entry.getValue());
      }
      if (values != null && (first || !isWritten(id, values))) {
        written.put(id, values);
        blocks.add(write(id, values, messages));
      }
    }
    first = false;
    return blocks;
  }

  private Block write(long id, ArrayData values, MessageWriter messages) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      EncodedBody body = EncodedBody.of(values.length(), List.of(values), codec, arena);
      return messages.writeDictionary(id, body);
    }
  }

  /// Returns whether the dictionary is the one written last. Equal segments are not enough if it
  /// may be replaced: the memory of a batch before may have been given to this one.
  private boolean isWritten(long id, ArrayData values) {
    ArrayData before = written.get(id);
    if (before == values || replaces) {
      return before == values;
    }
    if (before == null || !before.equals(values)) {
      throw new IllegalArgumentException(
          "Expected dictionary " + id + " as in the first batch but found another one");
    }
    return true;
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
