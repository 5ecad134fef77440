package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.DictionaryReferences;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Take;
import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// The dictionaries of some record batches, reduced to the values that their rows use.
///
/// First, every batch is added. Then [#reduce] takes the used values, in the order in which the
/// rows first use them: row by row, and within a row column by column. Inner dictionaries are
/// reduced to what the taken values of the outer ones use, after the rows. Indices of slots that no
/// reader sees become 0.
///
/// Ordered dictionaries keep their order, which has a meaning. So do those whose values are run-end
/// encoded or in dense unions: these share data, of which another order could need many copies.
///
/// Used by one thread.
public final class UsedDictionaries {

  private final DictionaryFields fields;
  private final LongFunction<ArrayData> dictionaries;
  private final SegmentAllocator allocator;
  private final LongConsumer progress;
  private final Set<Long> ordered = new HashSet<>();
  private final Map<Long, UsedValues> used = new HashMap<>();

  /// The dictionaries with indices into them that are not null, whether or not a reader sees them.
  private final Set<Long> referenced = new HashSet<>();

  private final Map<Long, ArrayData> reduced = new LinkedHashMap<>();

  /// @param schema the schema of the batches; columns without dictionaries may be missing
  /// @param dictionaries returns the values with an id, which must outlive this
  /// @param allocator for the reduced dictionaries
  /// @param progress called now and then with the approximate number of slots since the last call;
  ///   may end the work by an exception
  public UsedDictionaries(
      Schema schema,
      LongFunction<ArrayData> dictionaries,
      SegmentAllocator allocator,
      LongConsumer progress) {
    this.fields = DictionaryFields.of(schema);
    this.dictionaries = dictionaries;
    this.allocator = allocator;
    this.progress = progress;
    schema.fields().forEach(this::collectOrdered);
  }

  /// Adds the values that the rows of a batch use.
  ///
  /// @param batch a batch with valid offsets
  /// @param scratch for working memory, until this returns
  /// @throws InputException if an index is outside its dictionary
  public void add(RecordBatch batch, SegmentAllocator scratch) {
    add(batch.columns(), batch.length(), scratch);
  }

  /// Reduces the dictionaries to the values of all batches so far. No batch may be added later.
  ///
  /// @param scratch for working memory, until this returns
  /// @throws InputException as [#add]
  public void reduce(SegmentAllocator scratch) {
    for (long id : outerFirst()) {
      ArrayData values = dictionaries.apply(id);
      UsedValues kept = used(id);
      if (kept.isEmpty() && referenced.contains(id) && values.length() > 0) {
        // Readers may check indices below null parents, for which an empty dictionary has no value.
        kept.add(0);
      }
      if (ordered.contains(id) || sharesData(values.field())) {
        kept.sort(scratch);
      }
      ArrayData taken = take(id, scratch);
      add(List.of(taken), taken.length(), scratch);
    }
    rewriteReduced();
  }

  /// Reduces the dictionaries as for an equal selection, without adding its batches.
  ///
  /// @param indices the [#indices] of that selection
  /// @param scratch for working memory, until this returns
  /// @throws InputException as [#add]
  public void reduceTo(Map<Long, long[]> indices, SegmentAllocator scratch) {
    for (long id : outerFirst()) {
      for (long index : Objects.requireNonNull(indices.get(id))) {
        used(id).add(index);
      }
      take(id, scratch);
    }
    rewriteReduced();
  }

  /// Returns the stored indices of the values of each reduced dictionary, in their order.
  ///
  /// @param countMaximum the maximum number of values of all dictionaries
  /// @return the indices by the ids of the dictionaries, or null if there are more
  public @Nullable Map<Long, long[]> indices(long countMaximum) {
    if (used.values().stream().mapToLong(UsedValues::count).sum() > countMaximum) {
      return null;
    }
    Map<Long, long[]> indices = new HashMap<>();
    used.forEach((id, values) -> indices.put(id, values.indices()));
    return indices;
  }

  private List<Long> outerFirst() {
    return new ArrayList<>(fields.byId().keySet()).reversed();
  }

  private ArrayData take(long id, SegmentAllocator scratch) {
    progress.accept(used(id).count());
    ArrayData taken =
        Take.take(dictionaries.apply(id), used(id).slots(scratch), allocator, scratch);
    reduced.put(id, taken);
    return taken;
  }

  private void rewriteReduced() {
    reduced.replaceAll((_, taken) -> rewritten(List.of(taken), allocator).getFirst());
  }

  /// Returns the reduced dictionary with an id.
  public ArrayData values(long id) {
    return Objects.requireNonNull(reduced.get(id));
  }

  /// Returns a batch that was added, with indices into the reduced dictionaries. It may have
  /// further columns. The result has no dictionaries.
  ///
  /// @param rewriting the allocator for rewritten indices
  public RecordBatch rewritten(RecordBatch batch, SegmentAllocator rewriting) {
    return new RecordBatch(
        batch.schema(),
        batch.length(),
        rewritten(batch.columns(), rewriting),
        batch.customMetadata());
  }

  private List<ArrayData> rewritten(List<ArrayData> arrays, SegmentAllocator rewriting) {
    DictionaryIndices indices = new DictionaryIndices(this::used, rewriting);
    return arrays.stream().map(array -> indices.rewritten(array, array.field())).toList();
  }

  private void add(List<ArrayData> arrays, long length, SegmentAllocator scratch) {
    DictionaryReferences.forEach(arrays, length, id -> used(id)::add, scratch, progress);
    arrays.forEach(this::collectReferenced);
  }

  private UsedValues used(long id) {
    return used.computeIfAbsent(
        id, _ -> new UsedValues(dictionaries.apply(id).length(), allocator));
  }

  private void collectReferenced(ArrayData array) {
    DictionaryEncoding encoding = array.field().dictionary();
    if (encoding != null && array.countNulls(0, array.length()) < array.length()) {
      referenced.add(encoding.id());
    }
    array.children().forEach(this::collectReferenced);
  }

  private void collectOrdered(Field field) {
    DictionaryEncoding encoding = field.dictionary();
    if (encoding != null && encoding.ordered()) {
      ordered.add(encoding.id());
    }
    field.children().forEach(this::collectOrdered);
  }

  /// Returns whether several slots of an array may refer to the same data, such that taking them
  /// one by one would repeat it.
  private static boolean sharesData(Field field) {
    return switch (field.storageType()) {
      case ArrowType.RunEndEncoded() -> true;
      case ArrowType.Union(UnionMode mode, _) when mode == UnionMode.DENSE -> true;
      default -> field.storageChildren().stream().anyMatch(UsedDictionaries::sharesData);
    };
  }
}
