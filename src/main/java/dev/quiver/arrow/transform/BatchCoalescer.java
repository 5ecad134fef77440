package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Concatenation;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/// A coalescer that gathers small record batches in order, and emits runs that fit into one batch.
///
/// Uploads and compaction store what it emits, and inspection predicts uploads with it.
///
/// @param <X> the exception that emitting throws
public final class BatchCoalescer<X extends Exception> {

  /// The size from which the body of an uploaded batch is not small.
  public static final long SMALL_BODY_BYTE_SIZE = 64 << 10;

  /// The maximum metadata of the batches of an upload that wait: as objects, they take several
  /// times that.
  public static final long METADATA_BYTE_SIZE = 2 << 20;

  /// The maximum rows of a run: some readers count them in 32 bits.
  private static final long LENGTH_MAXIMUM = Integer.MAX_VALUE;

  private final long byteSizeMaximum;
  private final long metadataByteSizeMaximum;
  private final Emitter<X> emitter;
  private final List<RecordBatch> batches = new ArrayList<>();

  /// The capacities of the arrays of the run, parents before children.
  private List<ConcatenationCapacity> capacities = List.of();

  private Codec codec = Codec.NONE;
  private long length;
  private long byteSize;
  private long metadataByteSize;

  /// A consumer of runs.
  ///
  /// @param <X> the exception that it throws
  public interface Emitter<X extends Exception> {

    /// Consumes a run. The coalescer keeps no reference to its batches.
    void emit(Run run) throws X;
  }

  /// One or more consecutive batches that fit one batch.
  ///
  /// @param codec the codec of all of them
  public record Run(List<RecordBatch> batches, Codec codec) {

    /// Returns the batches as one: a single one as it is, several copied.
    ///
    /// @param allocator for the copy
    public RecordBatch concatenated(SegmentAllocator allocator) {
      RecordBatch first = batches.getFirst();
      if (batches.size() == 1) {
        return first;
      }
      List<ArrayData> columns = new ArrayList<>();
      for (int i = 0; i < first.columns().size(); i++) {
        int index = i;
        List<ArrayData> arrays = batches.stream().map(batch -> batch.columns().get(index)).toList();
        columns.add(Concatenation.concatenate(arrays, allocator));
      }
      long rows = batches.stream().mapToLong(RecordBatch::length).sum();
      return new RecordBatch(first.schema(), rows, columns);
    }
  }

  /// @param byteSizeMaximum of the uncompressed body of several batches; one batch alone may have
  ///   more
  /// @param metadataByteSizeMaximum of the messages of several batches
  public BatchCoalescer(long byteSizeMaximum, long metadataByteSizeMaximum, Emitter<X> emitter) {
    this.byteSizeMaximum = byteSizeMaximum;
    this.metadataByteSizeMaximum = metadataByteSizeMaximum;
    this.emitter = emitter;
  }

  /// Adds a small batch. If it does not fit into the current run, emits the run first.
  ///
  /// A batch does not fit a run if together they are too large for a limit or for the types of
  /// their offsets and run ends, or if they differ in schema, codec or dictionaries. It does not if
  /// the message of one has custom metadata either, which several cannot share.
  ///
  /// @param batch a batch with valid offsets, which must live until its run is emitted
  /// @param batchCodec the codec in which to store it
  /// @param metaDataLength bytes of its message
  public void add(RecordBatch batch, Codec batchCodec, long metaDataLength) throws X {
    // Excludes padding, which may exceed the data of a small batch.
    long batchByteSize = RowRange.all(batch).byteSize(batch, 1);
    List<ConcatenationCapacity> added = new ArrayList<>();
    batch.columns().forEach(column -> addCapacities(column, added));
    boolean fits =
        codec == batchCodec
            && metadataByteSize + metaDataLength <= metadataByteSizeMaximum
            && byteSize + batchByteSize <= byteSizeMaximum
            && length + batch.length() <= LENGTH_MAXIMUM
            && fits(batch, added);
    if (!fits) {
      flush();
    }
    if (!batches.isEmpty()) {
      for (int i = 0; i < added.size(); i++) {
        added.set(i, capacities.get(i).plus(added.get(i)));
      }
    }
    capacities = added;
    batches.add(batch);
    codec = batchCodec;
    length += batch.length();
    byteSize += batchByteSize;
    metadataByteSize += metaDataLength;
  }

  /// Returns the number of pending batches.
  public int size() {
    return batches.size();
  }

  /// Emits the pending batches, if any.
  public void flush() throws X {
    if (batches.isEmpty()) {
      return;
    }
    Run run = new Run(List.copyOf(batches), codec);
    batches.clear();
    capacities = List.of();
    length = 0;
    byteSize = 0;
    metadataByteSize = 0;
    emitter.emit(run);
  }

  private boolean fits(RecordBatch batch, List<ConcatenationCapacity> added) {
    if (batches.isEmpty()) {
      return true;
    }
    RecordBatch first = batches.getFirst();
    if (!batch.schema().equals(first.schema())
        || !batch.customMetadata().isEmpty()
        || !first.customMetadata().isEmpty()) {
      return false;
    }
    for (int i = 0; i < added.size(); i++) {
      if (!capacities.get(i).fits(added.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static void addCapacities(ArrayData array, List<ConcatenationCapacity> capacities) {
    capacities.add(ConcatenationCapacity.of(array));
    array.children().forEach(child -> addCapacities(child, capacities));
  }
}
