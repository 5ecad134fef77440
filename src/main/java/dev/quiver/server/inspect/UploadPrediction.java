package dev.quiver.server.inspect;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.transform.BatchCoalescer;
import dev.quiver.arrow.transform.BatchSplitter;
import dev.quiver.arrow.transform.BodyForm;
import dev.quiver.arrow.transform.CanonicalBody;
import dev.quiver.arrow.transform.DictionaryUnifier;
import dev.quiver.arrow.type.Field;
import java.io.IOException;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// A prediction of what an upload would reject or change in valid messages: it merges each
/// dictionary into one batch, splits very large batches and combines small ones.
final class UploadPrediction implements AutoCloseable {

  private final InspectOptions options;
  private final FindingLog findings;
  private final RecordBatchReader reader;
  private final DictionaryUnifier unifier;

  /// The small batches that the upload would combine. Only their sizes matter, so their values need
  /// not be kept.
  private final BatchCoalescer<RuntimeException> coalescer;

  private boolean coalesced;
  private long batchCount;

  /// @param reader the reader of the batches, whose dictionaries hold only lengths
  UploadPrediction(RecordBatchReader reader, InspectOptions options, FindingLog findings) {
    this.reader = reader;
    this.options = options;
    this.findings = findings;
    this.coalescer =
        new BatchCoalescer<>(options.batchBytes(), BatchCoalescer.METADATA_BYTE_SIZE, _ -> {});
    this.unifier =
        new DictionaryUnifier(
            reader.schema(),
            options.limits(),
            options.uploadDictionaryBytes(),
            options.scratchFolder());
  }

  @Override
  public void close() throws IOException {
    unifier.close();
  }

  /// Tracks a dictionary.
  ///
  /// @param values valid values that live as long as this object
  /// @param inFile whether the dictionary is in a file, where it may have any position
  /// @throws InputException if an upload would reject it
  void take(
      EncapsulatedMessage message, DictionaryBatchHeader header, ArrayData values, boolean inFile) {
    long id = header.id();
    if (!unifier.contains(id)) {
      if (batchCount == 0) {
        form(message, header.data(), List.of(values.field()));
      } else if (!inFile) {
        findings.add(
            FindingKind.LATE_DICTIONARY,
            "dictionary " + id + " before the first record batch",
            "it after " + batchCount + " of them",
            message.place());
      }
    }
    long byteSize = message.metaDataLength() + message.message().bodyLength();
    unifier.take(id, values, header.delta(), byteSize, message.place());
  }

  /// Tracks a record batch.
  ///
  /// @param batch the decoded, valid batch
  /// @param allocator for a temporary converted form
  /// @throws InputException if an upload would reject it
  void take(
      EncapsulatedMessage message,
      RecordBatchHeader header,
      RecordBatch batch,
      SegmentAllocator allocator) {
    batchCount++;
    options
        .limits()
        .uploadBatches()
        .check(batchCount, "record batches in an upload", message.place());
    form(message, header, reader.schema().fields());
    long bodyLength = message.message().bodyLength();
    boolean disjoint = CanonicalBody.isDisjoint(header, bodyLength);
    if (disjoint && bodyLength < BatchCoalescer.SMALL_BODY_BYTE_SIZE) {
      takeSmall(message, header, batch, allocator);
      return;
    }
    coalescer.flush();
    if (disjoint
        && bodyLength > BatchSplitter.LARGE_BODY_BYTE_SIZE
        && BatchSplitter.split(batch, options.batchBytes()).size() > 1) {
      findings.addChange("large record batches are split");
    }
  }

  /// Reports dictionaries that never arrived.
  void finish() {
    boolean needed =
        batchCount > 0
            || reader.dictionaryFields().byId().keySet().stream().anyMatch(this::arrived);
    for (long id : reader.dictionaryFields().byId().keySet()) {
      if (needed && !arrived(id)) {
        findings.add(
            FindingKind.MISSING_DICTIONARY,
            "every dictionary of the schema",
            "none",
            InputLocation.detail("dictionary " + id));
      }
    }
  }

  private boolean arrived(long id) {
    return unifier.contains(id);
  }

  /// Reports why a body would change, except for reasons reported elsewhere.
  private void form(EncapsulatedMessage message, RecordBatchHeader header, List<Field> fields) {
    InputLocation place = message.place();
    BodyForm form = BodyForm.of(message.message(), header, fields, reader.swapsBodies(), unifier);
    if (form == BodyForm.VERBATIM) {
      return;
    }
    long bodyLength = message.message().bodyLength();
    CanonicalBody.requireBounded(header, bodyLength, options.limits(), place);
    if (!CanonicalBody.isDisjoint(header, bodyLength)) {
      findings.add(
          FindingKind.BUFFER_OVERLAP,
          "buffers of at most the body's " + bodyLength + " bytes",
          "buffers that share some",
          InputLocation.detail("RecordBatch.buffers").within(place));
    }
    boolean counted = header.nodes().stream().allMatch(node -> node.nullCount() >= 0);
    if (!counted) {
      findings.add(FindingKind.UNKNOWN_NULL_COUNT, "null counts of 0 or more", "-1", place);
    } else if (form == BodyForm.REALIGNED
        && isAligned(header, bodyLength)
        && CanonicalBody.isDisjoint(header, bodyLength)) {
      findings.add(
          FindingKind.EMPTY_VIEW_BUFFER,
          "the uncompressed length of every buffer of views",
          "none for one that is empty",
          place);
    }
  }

  private static boolean isAligned(RecordBatchHeader header, long bodyLength) {
    return Padding.isAligned(bodyLength, Long.BYTES)
        && header.buffers().stream()
            .allMatch(
                buffer -> buffer.length() == 0 || Padding.isAligned(buffer.offset(), Long.BYTES));
  }

  private void takeSmall(
      EncapsulatedMessage message,
      RecordBatchHeader header,
      RecordBatch batch,
      SegmentAllocator allocator) {
    if (coalesced) {
      return;
    }
    List<ArrayData> columns = unifier.rewritten(batch.columns(), allocator);
    RecordBatch unified =
        new RecordBatch(unifier.schema(), batch.length(), columns, batch.customMetadata());
    coalescer.add(unified, BodyCodecs.of(header), message.metaDataLength());
    if (coalescer.size() > 1) {
      findings.addChange("small record batches are combined");
      coalesced = true;
      coalescer.flush();
    }
  }
}
