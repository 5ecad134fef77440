package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.parallel.ScratchMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The values of arrays whose indices refer to unified dictionaries.
final class UnifiedValues {

  private UnifiedValues() {}

  static List<@Nullable Object> of(
      ArrayData rewritten, DictionaryUnifier unifier, ScratchMemory memory) {
    ArrayData widened = unifier.widened(List.of(rewritten), memory).getFirst();
    return Values.of(withDictionaries(widened, unifier, memory));
  }

  private static ArrayData withDictionaries(
      ArrayData array, DictionaryUnifier unifier, ScratchMemory memory) {
    List<ArrayData> children =
        array.children().stream().map(child -> withDictionaries(child, unifier, memory)).toList();
    ArrayData dictionary =
        array.field().dictionary() == null
            ? null
            : withDictionaries(
                unifier.values(array.field().dictionary().id(), memory), unifier, memory);
    return new ArrayData(
        array.field(), array.length(), array.nullCount(), array.buffers(), children, dictionary);
  }
}
