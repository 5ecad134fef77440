package dev.quiver.transform;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.Concatenation;
import dev.quiver.columnar.RecordBatch;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/// Gathers small batches of one schema, in order, and joins them to larger ones.
///
/// ```java
/// if (!joiner.add(batch)) {
///   write(joiner.join(allocator));
///   joiner.add(batch);
/// }
/// ```
public final class BatchJoiner {

  /// Bodies of fewer bytes are small.
  public static final long SMALL_BODY_BYTE_SIZE = 64 << 10;

  /// How much metadata the batches may have that wait to be joined: as objects, they take several
  /// times that.
  public static final long METADATA_BYTE_SIZE = 2 << 20;

  /// Readers are known to count rows in 32 bits.
  private static final long LENGTH_MAXIMUM = Integer.MAX_VALUE;

  private final long wantedByteSize;
  private final List<RecordBatch> batches = new ArrayList<>();

  /// Of the arrays of the batches gathered, parents before children.
  private List<ConcatenationCapacity> joints = List.of();

  private long length;
  private long byteSize;

  /// @param byteSize what the body of a joined batch should have at most, in bytes; one batch alone
  ///   may have more
  public BatchJoiner(long byteSize) {
    this.wantedByteSize = byteSize;
  }

  public boolean isEmpty() {
    return batches.isEmpty();
  }

  /// Takes a batch in, if it can be joined with those gathered; the first one always can.
  ///
  /// It cannot when the joined one would be too large or would not fit the types of its offsets and
  /// run ends, when it has another dictionary, and when the message that brought one of them had
  /// metadata, for which a joined one has no place.
  ///
  /// @param batch which is valid as far as its offsets go; it must live until it is joined
  /// @return whether it was taken in
  public boolean add(RecordBatch batch) {
    // Padding may be more than the rows of a small batch.
    long batchByteSize = RowRange.all(batch).byteSize(batch, 1);
    List<ConcatenationCapacity> newJoints = new ArrayList<>();
    if (batches.isEmpty()) {
      batch.columns().forEach(column -> addJoints(column, newJoints));
    } else if (!isJoinable(batch, batchByteSize, newJoints)) {
      return false;
    }
    joints = newJoints;
    batches.add(batch);
    length += batch.length();
    byteSize += batchByteSize;
    return true;
  }

  /// The batches gathered, at least one, as one. Afterwards there are none.
  ///
  /// @param allocator for what is copied; a single batch is given as it is
  public RecordBatch join(SegmentAllocator allocator) {
    RecordBatch first = batches.getFirst();
    RecordBatch joined = first;
    if (batches.size() > 1) {
      List<ArrayData> columns = new ArrayList<>();
      for (int i = 0; i < first.columns().size(); i++) {
        int index = i;
        List<ArrayData> arrays = batches.stream().map(batch -> batch.columns().get(index)).toList();
        columns.add(Concatenation.concatenate(arrays, allocator));
      }
      joined = new RecordBatch(first.schema(), length, columns);
    }
    batches.clear();
    length = 0;
    byteSize = 0;
    return joined;
  }

  private boolean isJoinable(
      RecordBatch batch, long batchByteSize, List<ConcatenationCapacity> newJoints) {
    if (byteSize + batchByteSize > wantedByteSize
        || length + batch.length() > LENGTH_MAXIMUM
        || !batch.customMetadata().isEmpty()
        || !batches.getFirst().customMetadata().isEmpty()) {
      return false;
    }
    List<ConcatenationCapacity> added = new ArrayList<>();
    batch.columns().forEach(column -> addJoints(column, added));
    for (int i = 0; i < added.size(); i++) {
      if (!joints.get(i).fits(added.get(i))) {
        return false;
      }
      newJoints.add(joints.get(i).plus(added.get(i)));
    }
    return true;
  }

  private static void addJoints(ArrayData array, List<ConcatenationCapacity> joints) {
    joints.add(ConcatenationCapacity.of(array));
    array.children().forEach(child -> addJoints(child, joints));
  }
}
