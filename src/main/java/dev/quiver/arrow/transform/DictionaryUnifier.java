package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.SegmentAllocator;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// A unifier of the dictionaries with the same id in a stream. It rewrites indices where necessary.
///
/// The unified dictionary only grows at its end, so that valid indices stay valid. If a dictionary
/// starts as the unified one does, or continues where it ends, its indices stay as they are. In any
/// other dictionary, each value maps to the first equal value of the unified one, and is added if
/// absent. Equality is exact: numbers by their bits, nulls equal to one another.
///
/// Dictionary-encoded values refer to the unified inner dictionary as it was when they arrived. If
/// a unified dictionary outgrows the index type of a field with rewritten indices, that index type
/// becomes int32, and [#schema] changes.
///
/// Dictionaries of another stream can be joined to the same unified ones although their ids differ,
/// see [#join].
///
/// Used by one thread.
public final class DictionaryUnifier implements AutoCloseable {

  private static final long INT32_MAXIMUM = Integer.MAX_VALUE;

  private final Limits limits;
  private final Limit totalBytes;
  private final ScratchMemory kept;
  private final ScratchMemory temporary;
  private final ScratchMemory rewritten;
  private final ComparedBytes compared;
  private final UnifiedDictionary.Workspace workspace;
  private final Map<Long, UnifiedDictionary> dictionaries = new HashMap<>();

  /// The mappings, by the ids with which dictionaries arrive.
  private final Map<Long, IndexMapping> mappings = new HashMap<>();

  /// The ids of unified dictionaries, by those with which other dictionaries arrive.
  private final Map<Long, Long> joined = new HashMap<>();

  private final IndexMapping identity;
  private final Set<Long> ordered = new HashSet<>();
  private Schema schema;
  private DictionaryFields dictionaryFields;
  private boolean outgrown;
  private boolean widensToLengths;
  private long totalByteSize;

  /// @param schema of the incoming batches and dictionaries
  /// @param totalBytes limit on all dictionaries together
  /// @param scratchFolder for files of working memory
  public DictionaryUnifier(Schema schema, Limits limits, Limit totalBytes, Path scratchFolder) {
    this.schema = schema;
    this.dictionaryFields = DictionaryFields.of(schema);
    this.limits = limits;
    this.totalBytes = totalBytes;
    this.kept = new ScratchMemory(scratchFolder);
    this.temporary = new ScratchMemory(scratchFolder);
    this.rewritten = new ScratchMemory(scratchFolder);
    this.compared = new ComparedBytes(limits.decompressionRatio());
    this.workspace =
        new UnifiedDictionary.Workspace(
            kept, temporary, new SeededHash(), compared, this::unified, this::conformed);
    this.identity = new IndexMapping(kept);
    identity.addIdentical(Long.MAX_VALUE);
    collectOrdered(schema.fields());
  }

  /// Returns the schema of rewritten data. It changes whenever a dictionary outgrows its indices.
  public Schema schema() {
    return schema;
  }

  /// Returns the fields of the dictionaries' values in [#schema].
  public DictionaryFields dictionaryFields() {
    return dictionaryFields;
  }

  /// Returns whether a dictionary with this id has arrived.
  public boolean contains(long id) {
    return dictionaries.containsKey(id);
  }

  /// Returns the number of values of the unified dictionary, 0 before the first dictionary.
  public long length(long id) {
    return unified(id).length();
  }

  /// Treats dictionaries and indices that arrive with the id `source` as if they had `id`.
  ///
  /// @param source an id that is not in the schema
  public void join(long source, long id) {
    joined.put(source, id);
  }

  /// Widens index types so that they can refer to every value of their unified dictionary.
  public void widenToLengths() {
    widensToLengths = true;
    widen();
  }

  /// Returns whether every index into the latest dictionary with this id stays the same.
  public boolean keepsIndices(long id) {
    return mapping(id).isIdentity();
  }

  /// Returns whether the latest dictionary with this id has all values of the unified one, each at
  /// the same index.
  public boolean isWhole(long id) {
    IndexMapping mapping = mapping(id);
    return mapping.isIdentity() && mapping.size() == length(joined(id));
  }

  /// Adds a dictionary.
  ///
  /// @param id the id with which it arrives
  /// @param values valid ones; the first dictionary with this id must outlive this, others are
  ///   copied as needed
  /// @param delta whether `values` extend the previous dictionary
  /// @param messageByteSize bytes of the message as received
  /// @throws InputException if the dictionaries get too large, if comparing them takes too much
  ///   work, or if an ordered dictionary does not continue the one before
  public void take(
      long id, ArrayData values, boolean delta, long messageByteSize, InputLocation place) {
    compared.received(messageByteSize);
    rewritten.reset();
    try {
      IndexMapping mapping = mappings.computeIfAbsent(id, _ -> new IndexMapping(kept));
      boolean first = !contains(joined(id));
      UnifiedDictionary unified = dictionaries.computeIfAbsent(joined(id), this::newDictionary);
      long byteSizeBefore = unified.byteSize();
      ArrayData current = rewritten(values, first ? kept : rewritten);
      if (first) {
        unified.takeFirst(current, mapping);
      } else {
        unified.take(current, delta, mapping);
      }
      limits.dictionaryBytes().check(unified.byteSize(), "bytes of a dictionary", place);
      totalByteSize = Math.addExact(totalByteSize, unified.byteSize() - byteSizeBefore);
      totalBytes.check(totalByteSize, "bytes of all dictionaries together", place);
      if (!mapping.isIdentity()) {
        widen();
      }
    } catch (InputException e) {
      throw e.within(place);
    }
  }

  /// Returns whether columns of these fields need no rewriting: every index stays the same, and so
  /// does its type.
  ///
  /// @param fields as they arrived
  public boolean isUnchanged(List<Field> fields) {
    return (!outgrown || fields.equals(widened(fields)))
        && fields.stream().noneMatch(this::refersToChanged);
  }

  /// Returns the columns of a batch, or the values of a dictionary, with indices into the unified
  /// dictionaries, in the types of [#schema] and without dictionaries.
  ///
  /// @param allocator for rewritten indices
  public List<ArrayData> rewritten(List<ArrayData> columns, SegmentAllocator allocator) {
    return columns.stream().map(column -> rewritten(column, allocator)).toList();
  }

  /// Returns the columns of a batch with indices into the unified dictionaries, in the types of
  /// other fields.
  ///
  /// @param fields the resulting fields, equal to the columns' fields except for the ids and index
  ///   types of dictionaries
  /// @param allocator for rewritten indices
  public List<ArrayData> rewritten(
      List<ArrayData> columns, List<Field> fields, SegmentAllocator allocator) {
    DictionaryIndices indices = new DictionaryIndices(this::mapping, allocator);
    List<ArrayData> rewritten = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      rewritten.add(indices.rewritten(columns.get(i), fields.get(i)));
    }
    return rewritten;
  }

  /// Returns columns whose indices refer to the unified dictionaries already, in the types of
  /// [#schema].
  ///
  /// @param allocator for rewritten indices
  public List<ArrayData> widened(List<ArrayData> columns, SegmentAllocator allocator) {
    DictionaryIndices indices = new DictionaryIndices(_ -> identity, allocator);
    return columns.stream()
        .map(column -> indices.rewritten(column, widened(column.field())))
        .toList();
  }

  /// Returns all values with this id; empty if no dictionary arrived.
  ///
  /// @param memory for concatenated values
  public ArrayData values(long id, ScratchMemory memory) {
    Field field = Objects.requireNonNull(dictionaryFields.values(id));
    return contains(id)
        ? unified(id).values(values -> conformed(values, field, memory), memory)
        : ArrayData.empty(field);
  }

  /// Returns all values with this id, in one or more arrays that are valid until the next
  /// dictionary is added.
  public List<ArrayData> parts(long id) {
    return unified(id).parts();
  }

  @Override
  public void close() throws IOException {
    try (kept;
        temporary;
        rewritten) {
      dictionaries.clear();
    }
  }

  private UnifiedDictionary unified(long id) {
    UnifiedDictionary unified = dictionaries.get(id);
    // A column of only nulls may refer to a dictionary that never arrives.
    return unified == null ? new UnifiedDictionary(id, false, workspace) : unified;
  }

  private ArrayData rewritten(ArrayData column, SegmentAllocator allocator) {
    return new DictionaryIndices(this::mapping, allocator)
        .rewritten(column, widened(column.field()));
  }

  private IndexMapping mapping(long id) {
    return mappings.getOrDefault(id, identity);
  }

  private ArrayData conformed(long id, ArrayData values) {
    return conformed(values, Objects.requireNonNull(dictionaryFields.values(id)), temporary);
  }

  private ArrayData conformed(ArrayData values, Field field, SegmentAllocator allocator) {
    return new DictionaryIndices(_ -> identity, allocator).rewritten(values, field);
  }

  private boolean refersToChanged(Field field) {
    return field.dictionary() != null
        ? !mapping(field.dictionary().id()).isIdentity()
        : field.children().stream().anyMatch(this::refersToChanged);
  }

  private void widen() {
    List<Field> fields = widened(schema.fields());
    if (!fields.equals(schema.fields())) {
      outgrown = true;
      schema = new Schema(fields, schema.metadata(), schema.endianness(), schema.features());
      dictionaryFields = DictionaryFields.of(schema);
    }
  }

  private List<Field> widened(List<Field> fields) {
    return fields.stream().map(this::widened).toList();
  }

  private Field widened(Field field) {
    DictionaryEncoding encoding = field.dictionary();
    return new Field(
        field.name(),
        field.nullable(),
        field.type(),
        encoding == null ? null : widened(encoding),
        widened(field.children()),
        field.metadata());
  }

  private DictionaryEncoding widened(DictionaryEncoding encoding) {
    long id = joined(encoding.id());
    long maximum = widensToLengths ? length(id) - 1 : mapping(encoding.id()).maximum();
    ArrowType.Int indexType =
        maximum <= maximum(encoding.indexType())
            ? encoding.indexType()
            : new ArrowType.Int(32, true);
    return new DictionaryEncoding(id, indexType, encoding.ordered());
  }

  private long joined(long id) {
    return joined.getOrDefault(id, id);
  }

  private UnifiedDictionary newDictionary(long id) {
    return new UnifiedDictionary(id, ordered.contains(id), workspace);
  }

  private static long maximum(ArrowType.Int indexType) {
    int bits = indexType.bitWidth() - (indexType.signed() ? 1 : 0);
    return bits >= Integer.SIZE ? INT32_MAXIMUM : (1L << bits) - 1;
  }

  private void collectOrdered(List<Field> fields) {
    for (Field field : fields) {
      DictionaryEncoding encoding = field.dictionary();
      if (encoding != null && encoding.ordered()) {
        ordered.add(encoding.id());
      }
      collectOrdered(field.children());
    }
  }
}
