package dev.quiver.transform;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.DictionaryEncoding;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Schema;
import dev.quiver.input.InputException;
import dev.quiver.input.InputLocation;
import dev.quiver.input.Limit;
import dev.quiver.input.Limits;
import dev.quiver.ipc.DictionaryFields;
import dev.quiver.memory.ScratchMemory;
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

/// Makes one dictionary of all that a stream gives the same id, and writes indices anew where they
/// have to change.
///
/// The one dictionary, the superset, grows at its end, so that indices that were right stay right.
/// A dictionary that starts as the superset does, or goes on where it ends, leaves the indices into
/// it as they are. Of any other, each value maps to the first of the superset that is the same, and
/// is added when there is none. What is the same is decided exactly: numbers by their bits, nulls
/// equal to one another.
///
/// Values that are dictionary-encoded themselves refer to the superset of the inner dictionary as
/// it was when they came. When a superset outgrows the indices of a field that had to be written
/// anew, the field's indices become int32, and [#schema] another one.
///
/// What another stream gives ids of its own can be joined to the same supersets, see [#join].
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
  private final Map<Long, UnifiedDictionary> supersets = new HashMap<>();

  /// By the ids with which dictionaries come.
  private final Map<Long, IndexMapping> mappings = new HashMap<>();

  /// The ids of supersets by those with which others come.
  private final Map<Long, Long> joined = new HashMap<>();

  private final IndexMapping identity;
  private final Set<Long> ordered = new HashSet<>();
  private Schema schema;
  private DictionaryFields dictionaryFields;
  private boolean outgrown;
  private boolean widensToLengths;
  private long totalByteSize;

  /// @param schema that batches and dictionaries come in
  /// @param totalBytes of all dictionaries together
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
            kept, temporary, new SeededHash(), compared, this::superset, this::conformed);
    this.identity = new IndexMapping(kept);
    identity.addIdentical(Long.MAX_VALUE);
    collectOrdered(schema.fields());
  }

  /// The schema in which what was written anew is: another one whenever a dictionary outgrew its
  /// indices.
  public Schema schema() {
    return schema;
  }

  /// The fields of the dictionaries' values in [#schema].
  public DictionaryFields dictionaryFields() {
    return dictionaryFields;
  }

  /// Whether a dictionary with this id came.
  public boolean contains(long id) {
    return supersets.containsKey(id);
  }

  /// Values of the superset, 0 before the first dictionary.
  public long length(long id) {
    return superset(id).length();
  }

  /// Lets dictionaries and indices that come with another id belong to the superset of `id`.
  ///
  /// @param source an id that the schema does not have
  public void join(long source, long id) {
    joined.put(source, id);
  }

  /// Makes the types of indices such that they can refer to every value of their superset.
  public void widenToLengths() {
    widensToLengths = true;
    widen();
  }

  /// Whether every index into the dictionary that came last with this id stays what it is.
  public boolean keepsIndices(long id) {
    return mapping(id).isIdentity();
  }

  /// Whether the dictionary that came last with this id has all values of the superset, each at the
  /// same index.
  public boolean isWhole(long id) {
    IndexMapping mapping = mapping(id);
    return mapping.isIdentity() && mapping.size() == length(joined(id));
  }

  /// Takes a dictionary.
  ///
  /// @param id with which it comes
  /// @param values which are valid; those of the first one with this id must outlive this, of
  ///   others what is needed is copied
  /// @param delta whether `values` only go on where the dictionary before ended
  /// @param messageByteSize bytes of the message that brought it, as they were received
  /// @throws InputException when the dictionaries get too large, when comparing them takes too
  ///   much, or when one that is ordered does not go on where the one before ended
  public void take(
      long id, ArrayData values, boolean delta, long messageByteSize, InputLocation place) {
    compared.received(messageByteSize);
    rewritten.reset();
    try {
      IndexMapping mapping = mappings.computeIfAbsent(id, _ -> new IndexMapping(kept));
      boolean first = !contains(joined(id));
      UnifiedDictionary superset = supersets.computeIfAbsent(joined(id), this::newSuperset);
      long byteSizeBefore = superset.byteSize();
      ArrayData current = rewritten(values, first ? kept : rewritten);
      if (first) {
        superset.takeFirst(current, mapping);
      } else {
        superset.take(current, delta, mapping);
      }
      limits.dictionaryBytes().check(superset.byteSize(), "bytes of a dictionary", place);
      totalByteSize = Math.addExact(totalByteSize, superset.byteSize() - byteSizeBefore);
      totalBytes.check(totalByteSize, "bytes of all dictionaries together", place);
      if (!mapping.isIdentity()) {
        widen();
      }
    } catch (InputException e) {
      throw e.within(place);
    }
  }

  /// Whether columns of these fields are right as they come: every index stays what it is, and of
  /// its type.
  ///
  /// @param fields as they came
  public boolean isUnchanged(List<Field> fields) {
    return (!outgrown || fields.equals(widened(fields)))
        && fields.stream().noneMatch(this::refersToChanged);
  }

  /// The columns of a batch, or the values of a dictionary, with indices into the supersets, in the
  /// types of [#schema]. Their dictionaries are left out.
  ///
  /// @param allocator for indices that are written anew
  public List<ArrayData> rewritten(List<ArrayData> columns, SegmentAllocator allocator) {
    return columns.stream().map(column -> rewritten(column, allocator)).toList();
  }

  /// The columns of a batch with indices into the supersets, in the types of other fields.
  ///
  /// @param fields what the columns become: equal to theirs but for the ids and index types of
  ///   dictionaries
  /// @param allocator for indices that are written anew
  public List<ArrayData> rewritten(
      List<ArrayData> columns, List<Field> fields, SegmentAllocator allocator) {
    DictionaryIndices indices = new DictionaryIndices(this::mapping, allocator);
    List<ArrayData> rewritten = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      rewritten.add(indices.rewritten(columns.get(i), fields.get(i)));
    }
    return rewritten;
  }

  /// Columns whose indices are into the supersets already, in the types of [#schema].
  ///
  /// @param allocator for indices that are written anew
  public List<ArrayData> widened(List<ArrayData> columns, SegmentAllocator allocator) {
    DictionaryIndices indices = new DictionaryIndices(_ -> identity, allocator);
    return columns.stream()
        .map(column -> indices.rewritten(column, widened(column.field())))
        .toList();
  }

  /// All values with this id; none when no dictionary came.
  ///
  /// @param memory for what has to be put together
  public ArrayData values(long id, ScratchMemory memory) {
    Field field = Objects.requireNonNull(dictionaryFields.values(id));
    return contains(id)
        ? superset(id).values(values -> conformed(values, field, memory), memory)
        : ArrayData.empty(field);
  }

  @Override
  public void close() throws IOException {
    try (kept;
        temporary;
        rewritten) {
      supersets.clear();
    }
  }

  private UnifiedDictionary superset(long id) {
    UnifiedDictionary superset = supersets.get(id);
    // A column of nulls alone may refer to a dictionary that never came.
    return superset == null ? new UnifiedDictionary(id, false, workspace) : superset;
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

  private UnifiedDictionary newSuperset(long id) {
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
