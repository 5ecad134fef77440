package dev.quiver.arrow.ipc;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.GrowingArray;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The dictionaries known at some point of a stream, by id.
///
/// Arrays keep the dictionary that was known when they were read, even if it is replaced or
/// extended later. A dictionary may precede the inner ones that its values refer to; they are
/// linked on arrival.
public final class Dictionaries {

  private final Map<Long, Known> knownById = new HashMap<>();

  public @Nullable ArrayData get(long id) {
    Known known = knownById.get(id);
    return known == null ? null : known.values;
  }

  public boolean contains(long id) {
    return knownById.containsKey(id);
  }

  /// Returns the bytes of the received buffers of a known dictionary, deltas included.
  long receivedByteSize(long id) {
    return Objects.requireNonNull(knownById.get(id)).receivedByteSize;
  }

  /// Adds a dictionary, or replaces the one with this id.
  public void put(long id, ArrayData values) {
    Known before = knownById.get(id);
    knownById.put(id, new Known(values, before == null ? 1 : before.generation + 1));
    if (before == null) {
      knownById.values().forEach(known -> known.values = linked(known.values));
    }
    knownById.get(id).noteInner();
  }

  /// Adds a dictionary of known length but unknown values, for readers that need only indices.
  public void putLength(long id, Field field, long length) {
    ArrayData empty = ArrayData.empty(field);
    put(id, new ArrayData(field, length, 0, empty.buffers(), empty.children(), null));
  }

  /// Extends a dictionary. However many deltas follow, each slot is copied an amortized constant
  /// number of times.
  ///
  /// @param allocator for copies that live as long as the dictionary
  /// @throws UnsupportedInputException if the delta refers to another inner dictionary than the
  ///   earlier values, or if all values together overflow their type
  /// @throws MalformedInputException if the arrays violate their layout
  void append(long id, ArrayData delta, SegmentAllocator allocator, InputLocation place) {
    Known known = knownById.get(id);
    if (known == null) {
      throw new IllegalArgumentException("Expected a known dictionary but found id " + id);
    }
    known.requireSameInner(id, place);
    try {
      GrowingArray growing = known.growing;
      if (growing == null) {
        growing = new GrowingArray(known.values.field());
        growing.append(known.values, allocator);
        known.growing = growing;
      }
      growing.append(delta, allocator);
      known.values = linked(growing.array());
    } catch (IllegalArgumentException e) {
      throw new UnsupportedInputException(
          "values that fit into dictionary " + id + " with the earlier ones", "more", place, e);
    } catch (IndexOutOfBoundsException | ArithmeticException e) {
      throw new MalformedInputException(
          "offsets within the values of dictionary " + id, "others", place, e);
    }
    known.receivedByteSize += delta.byteSize();
    known.noteInner();
  }

  /// Returns the array, linked to dictionaries that arrived after it was read.
  private ArrayData linked(ArrayData array) {
    List<ArrayData> children = new ArrayList<>(array.children().size());
    boolean changed = false;
    for (ArrayData child : array.children()) {
      ArrayData linkedChild = linked(child);
      changed |= linkedChild != child;
      children.add(linkedChild);
    }
    ArrayData dictionary = array.dictionary();
    if (dictionary == null && array.field().dictionary() != null) {
      dictionary = get(array.field().dictionary().id());
    }
    return changed || dictionary != array.dictionary()
        ? new ArrayData(
            array.field(), array.length(), array.nullCount(), array.buffers(), children, dictionary)
        : array;
  }

  /// A dictionary that grows until it is replaced.
  private final class Known {

    private final int generation;
    private final Map<Long, Integer> innerGenerations = new HashMap<>();
    private ArrayData values;
    private long receivedByteSize;
    private @Nullable GrowingArray growing;

    Known(ArrayData values, int generation) {
      this.values = values;
      this.receivedByteSize = values.byteSize();
      this.generation = generation;
    }

    /// Records which dictionaries the values refer to.
    void noteInner() {
      innerIds(values.field(), innerGenerations);
      innerGenerations.replaceAll((id, before) -> before == 0 ? generationOf(id) : before);
    }

    /// Indices stay valid if their dictionary was extended, but not if it was replaced.
    void requireSameInner(long id, InputLocation place) {
      noteInner();
      innerGenerations.forEach((inner, before) -> {
        if (before != generationOf(inner)) {
          throw new UnsupportedInputException(
              "a delta to dictionary %d whose values refer to the same dictionary %d"
                  .formatted(id, inner),
              "dictionary %d replaced in between".formatted(inner),
              place);
        }
      });
    }

    private int generationOf(long id) {
      Known inner = knownById.get(id);
      return inner == null ? 0 : inner.generation;
    }

    private static void innerIds(Field field, Map<Long, Integer> ids) {
      for (Field child : field.children()) {
        if (child.dictionary() == null) {
          innerIds(child, ids);
        } else {
          ids.putIfAbsent(child.dictionary().id(), 0);
        }
      }
    }
  }
}
