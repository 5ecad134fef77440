package dev.quiver.inspect;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.input.InputException;
import dev.quiver.input.InputLocation;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.RecordBatchReader;
import dev.quiver.memory.Padding;
import dev.quiver.metadata.BodyCompression;
import dev.quiver.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.transform.BatchJoiner;
import dev.quiver.transform.BatchSplitter;
import dev.quiver.transform.BodyForm;
import dev.quiver.transform.CanonicalBody;
import dev.quiver.transform.DictionaryUnifier;
import java.io.IOException;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What an upload would refuse of messages that are valid, and what it would change about them:
/// their dictionaries become one each, and batches that are very large or small others.
final class UploadOutcome implements AutoCloseable {

  private final InspectOptions options;
  private final FindingLog findings;
  private final RecordBatchReader reader;
  private final DictionaryUnifier unifier;
  private @Nullable Small previous;
  private boolean joined;
  private long batchCount;

  /// @param reader of the batches, in whose dictionaries only lengths are kept
  UploadOutcome(RecordBatchReader reader, InspectOptions options, FindingLog findings) {
    this.reader = reader;
    this.options = options;
    this.findings = findings;
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

  /// Follows a dictionary.
  ///
  /// @param values which are valid and live as long as this
  /// @param inFile whether it may lie anywhere
  /// @throws InputException when an upload would refuse it
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
            "it after " + batchCount,
            message.place());
      }
    }
    long byteSize = message.metaDataLength() + message.message().bodyLength();
    unifier.take(id, values, header.delta(), byteSize, message.place());
  }

  /// Follows a record batch.
  ///
  /// @param batch what was read from it, and is valid
  /// @param allocator for what has to be looked at in another form, and not afterwards
  /// @throws InputException when an upload would refuse it
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
    if (disjoint && bodyLength < BatchJoiner.SMALL_BODY_BYTE_SIZE) {
      takeSmall(message, header, batch, allocator);
      return;
    }
    previous = null;
    if (disjoint
        && bodyLength > BatchSplitter.LARGE_BODY_BYTE_SIZE
        && BatchSplitter.split(batch, options.batchBytes()).size() > 1) {
      findings.addChange("large record batches are cut");
    }
  }

  /// Looks at what did not come.
  void finish() {
    boolean needed =
        batchCount > 0 || reader.dictionaryFields().byId().keySet().stream().anyMatch(this::came);
    for (long id : reader.dictionaryFields().byId().keySet()) {
      if (needed && !came(id)) {
        findings.add(
            FindingKind.MISSING_DICTIONARY,
            "every dictionary of the schema",
            "none",
            InputLocation.detail("dictionary " + id));
      }
    }
  }

  private boolean came(long id) {
    return unifier.contains(id);
  }

  /// Notes why a body would not stay as it is, as far as nobody else does.
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
    if (joined) {
      return;
    }
    Schema schema = unifier.schema();
    List<ArrayData> columns = unifier.rewritten(batch.columns(), allocator);
    RecordBatch unified = new RecordBatch(schema, batch.length(), columns, batch.customMetadata());
    if (previous != null
        && previous.isLike(message, header, schema)
        && previous.joiner.add(unified)) {
      findings.addChange("runs of small record batches are joined");
      joined = true;
      previous = null;
      return;
    }
    BatchJoiner joiner = new BatchJoiner(options.batchBytes());
    joiner.add(unified);
    previous = new Small(joiner, header.compression(), message.metaDataLength(), schema);
  }

  /// A small batch, which the next one may be joined to.
  ///
  /// @param joiner which has it, and never joins: of batches before, it is asked for sizes alone,
  ///   so that their values need not be there any more
  private record Small(
      BatchJoiner joiner,
      @Nullable BodyCompression compression,
      int metaDataLength,
      Schema schema) {

    boolean isLike(EncapsulatedMessage message, RecordBatchHeader header, Schema nextSchema) {
      return Objects.equals(compression, header.compression())
          && schema.equals(nextSchema)
          && metaDataLength + message.metaDataLength() <= BatchJoiner.METADATA_BYTE_SIZE;
    }
  }
}
