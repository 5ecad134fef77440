package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// The slots of an array, hashed and compared exactly: numbers by their bits, nulls as equal to one
/// another, dictionary-encoded slots by their values.
///
/// The bytes below a null are ignored.
final class ComparableArray {

  private final Array array;
  private final List<ComparableArray> children;
  private final @Nullable UnifiedDictionary dictionary;
  private final ComparedBytes compared;

  /// @param dictionaries by id, to which the indices in `data` refer
  ComparableArray(
      ArrayData data, LongFunction<UnifiedDictionary> dictionaries, ComparedBytes compared) {
    this.array = Array.of(data);
    this.children =
        data.children().stream()
            .map(child -> new ComparableArray(child, dictionaries, compared))
            .toList();
    this.dictionary =
        data.field().dictionary() == null
            ? null
            : dictionaries.apply(data.field().dictionary().id());
    this.compared = compared;
  }

  void hash(long slot, SeededHash hash) {
    if (isNull(slot)) {
      compared.add(0);
      hash.add(0);
      return;
    }
    hash.add(1);
    switch (array) {
      case Array.Null _ -> throw new IllegalStateException("A slot of nulls is not null");
      case Array.Bool bools -> {
        compared.add(0);
        hash.add(bools.get(slot) ? 1 : 0);
      }
      case Array.Bytes slots -> {
        MemorySegment bytes = slots.bytes(slot);
        compared.add(bytes.byteSize());
        hash.add(bytes);
      }
      case Array.Lists lists -> {
        compared.add(0);
        long end = lists.end(slot);
        hash.add(end - lists.start(slot));
        for (long i = lists.start(slot); i < end; i++) {
          children.getFirst().hash(i, hash);
        }
      }
      case Array.Struct _ -> {
        compared.add(0);
        children.forEach(child -> child.hash(slot, hash));
      }
      case Array.Union union -> {
        compared.add(0);
        hash.add(union.typeId(slot));
        children.get(union.childIndex(slot)).hash(union.childSlot(slot), hash);
      }
      case Array.RunEndEncoded runs -> {
        compared.add(Long.BYTES);
        children.getLast().hash(runs.run(slot), hash);
      }
      case Array.DictionaryEncoded encoded -> {
        compared.add(Long.BYTES);
        dictionary().hash(encoded.index(slot), hash);
      }
    }
  }

  /// Returns whether the slots hold the same value.
  ///
  /// @param other of the same type, except for the type of indices
  boolean isEqual(long slot, ComparableArray other, long otherSlot) {
    if (isNull(slot) || other.isNull(otherSlot)) {
      compared.add(0);
      return isNull(slot) && other.isNull(otherSlot);
    }
    return switch (array) {
      case Array.Null _ -> true;
      case Array.Bool bools -> {
        compared.add(0);
        yield bools.get(slot) == ((Array.Bool) other.array).get(otherSlot);
      }
      case Array.Bytes slots -> {
        MemorySegment bytes = slots.bytes(slot);
        MemorySegment otherBytes = ((Array.Bytes) other.array).bytes(otherSlot);
        compared.add(Math.min(bytes.byteSize(), otherBytes.byteSize()));
        yield bytes.byteSize() == otherBytes.byteSize() && bytes.mismatch(otherBytes) < 0;
      }
      case Array.Lists lists -> isEqual(lists, slot, other, otherSlot);
      case Array.Struct _ -> {
        compared.add(0);
        boolean equal = true;
        for (int i = 0; equal && i < children.size(); i++) {
          equal = children.get(i).isEqual(slot, other.children.get(i), otherSlot);
        }
        yield equal;
      }
      case Array.Union union -> {
        compared.add(0);
        Array.Union otherUnion = (Array.Union) other.array;
        int child = union.childIndex(slot);
        yield union.typeId(slot) == otherUnion.typeId(otherSlot)
            && children
                .get(child)
                .isEqual(
                    union.childSlot(slot),
                    other.children.get(child),
                    otherUnion.childSlot(otherSlot));
      }
      case Array.RunEndEncoded runs -> {
        compared.add(Long.BYTES);
        yield children
            .getLast()
            .isEqual(
                runs.run(slot),
                other.children.getLast(),
                ((Array.RunEndEncoded) other.array).run(otherSlot));
      }
      case Array.DictionaryEncoded encoded -> {
        compared.add(Long.BYTES);
        long index = encoded.index(slot);
        long otherIndex = ((Array.DictionaryEncoded) other.array).index(otherSlot);
        yield index == otherIndex || dictionary().isEqual(index, otherIndex);
      }
    };
  }

  private boolean isEqual(Array.Lists lists, long slot, ComparableArray other, long otherSlot) {
    compared.add(0);
    Array.Lists otherLists = (Array.Lists) other.array;
    long start = lists.start(slot);
    long otherStart = otherLists.start(otherSlot);
    long length = lists.end(slot) - start;
    boolean equal = length == otherLists.end(otherSlot) - otherStart;
    for (long i = 0; equal && i < length; i++) {
      equal = children.getFirst().isEqual(start + i, other.children.getFirst(), otherStart + i);
    }
    return equal;
  }

  /// Returns whether the array's own validity marks the slot as null. Unions and runs have no
  /// validity.
  private boolean isNull(long slot) {
    return switch (array) {
      case Array.Union _, Array.RunEndEncoded _ -> false;
      case Array.Null _,
          Array.Bool _,
          Array.Bytes _,
          Array.Lists _,
          Array.Struct _,
          Array.DictionaryEncoded _ ->
          array.isNull(slot);
    };
  }

  private UnifiedDictionary dictionary() {
    return Objects.requireNonNull(dictionary);
  }
}
