package dev.quiver.arrow;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.transform.InvalidColumnsException;
import dev.quiver.arrow.transform.Projection;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.Finding;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A reader of the record batches of a stream or file, valid ones only.
///
/// The arrays of a batch may be used until the reader is closed. Those of a stream may be used
/// afterwards, too: the garbage collector frees them. Big-endian data becomes little-endian.
///
/// A reader is used by one thread at a time, its batches by any number.
public abstract sealed class ArrowReader implements Iterable<RecordBatch>, AutoCloseable
    permits ArrowStream, ArrowFile {

  private final Schema source;
  private final MetadataVersion version;
  private final Limits limits;
  private final DictionaryFields sourceDictionaries;
  private final List<Unchecked> unchecked = new ArrayList<>();
  private RecordBatchReader batches;
  private @Nullable Projection projection;
  private Level level = Level.VALUES;
  private boolean started;

  /// A dictionary that was read but not validated yet, since those to which its values refer may
  /// follow it.
  private record Unchecked(long id, ArrayData values, InputLocation place) {}

  ArrowReader(Schema source, MetadataVersion version, Limits limits) {
    this.source = source;
    this.version = version;
    this.limits = limits;
    this.sourceDictionaries = DictionaryFields.of(source);
    this.batches = new RecordBatchReader(source, limits);
  }

  /// Returns the schema of the batches: that of the input, or its selected columns.
  public Schema schema() {
    return projection == null
        ? batches.schema()
        : projection.schema().withEndianness(batches.schema().endianness());
  }

  /// Selects columns before the first batch is read. The buffers of others are not decompressed,
  /// and their dictionaries are skipped.
  ///
  /// @param columns names, or paths such as `b.c`, where `b` is a struct or a list of structs.
  ///   Quotes are around a name with a comma, or a name in a path with a dot: `"a,b"`.
  /// @return this reader
  /// @throws IllegalArgumentException if a column does not exist, with the nearest one that does
  public ArrowReader select(String... columns) {
    requireNotStarted();
    // Unions and runs of V4 may have a validity buffer, which only a complete header tells.
    boolean selectsBuffers = version == MetadataVersion.V5;
    try {
      projection = Projection.of(selectsBuffers ? source : batches.schema(), List.of(columns));
    } catch (InvalidColumnsException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    if (selectsBuffers) {
      batches = new RecordBatchReader(projection.schema(), limits);
    }
    return this;
  }

  /// Sets the level at which schema, dictionaries and batches are validated, before the first batch
  /// is read. By default it is [Level#VALUES], at which all values can be read. At a lower level
  /// the accessors of an invalid array may throw an [IndexOutOfBoundsException].
  ///
  /// @return this reader
  public ArrowReader validate(Level newLevel) {
    requireNotStarted();
    level = newLevel;
    return this;
  }

  private void requireNotStarted() {
    if (started) {
      throw new IllegalStateException("Expected no batch to be read yet, but one was");
    }
  }

  /// Returns the batches from here on, each of which is read when it is wanted.
  ///
  /// The iterator throws an [InputException] or an [InvalidDataException] at the first batch that
  /// is rejected, and an [UncheckedIOException] if the input fails.
  @Override
  public Iterator<RecordBatch> iterator() {
    return new Iterator<>() {
      private @Nullable RecordBatch next;

      @Override
      public boolean hasNext() {
        try {
          next = next == null ? ArrowReader.this.next() : next;
          return next != null;
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public RecordBatch next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        RecordBatch batch = Objects.requireNonNull(next);
        next = null;
        return batch;
      }
    };
  }

  @Override
  public abstract void close() throws IOException;

  /// Reads the next batch.
  ///
  /// @return the batch, or null at the end
  abstract @Nullable RecordBatch next() throws IOException;

  /// Checks the schema at the first call.
  final void start() {
    if (!started) {
      requireValid(Validator.validate(schema(), level), InputLocation.UNKNOWN);
      started = true;
    }
  }

  final RecordBatchReader batches() {
    return batches;
  }

  /// Returns whether a selected column has this dictionary. An unknown one is reported when it is
  /// read.
  final boolean isNeeded(EncapsulatedMessage dictionary) {
    long id = ((DictionaryBatchHeader) dictionary.message().header()).id();
    return batches.dictionaryFields().values(id) != null || sourceDictionaries.values(id) == null;
  }

  final void readDictionary(
      EncapsulatedMessage message, MemorySegment body, SegmentAllocator allocator) {
    long id = ((DictionaryBatchHeader) message.message().header()).id();
    ArrayData values = batches.readDictionary(message, body, allocator);
    unchecked.add(new Unchecked(id, values, message.place().withDetail("dictionary " + id)));
  }

  final RecordBatch readBatch(
      EncapsulatedMessage message, MemorySegment body, SegmentAllocator allocator) {
    checkDictionaries();
    Projection selected = projection;
    RecordBatch batch;
    try {
      batch =
          selected == null || version != MetadataVersion.V5
              ? batches.readBatch(message, body, allocator)
              : batches.readBatch(selected(message, selected), body, allocator);
    } catch (InputException e) {
      throw e.within(message.place());
    }
    requireValid(Validator.validate(batch, level), message.place());
    return selected == null || version == MetadataVersion.V5 ? batch : selected.apply(batch);
  }

  private static EncapsulatedMessage selected(EncapsulatedMessage message, Projection projection) {
    var header = (RecordBatchHeader) message.message().header();
    return message.withHeader(projection.apply(header));
  }

  private void checkDictionaries() {
    for (Unchecked dictionary : unchecked) {
      ArrayData values = dictionary.values;
      boolean hasInner = !DictionaryFields.of(Schema.of(values.field())).byId().isEmpty();
      ArrayData linked = hasInner ? batches.dictionaries().get(dictionary.id) : values;
      String path = values.field().name();
      requireValid(
          Validator.validateDictionary(Objects.requireNonNull(linked), level, path),
          dictionary.place);
    }
    unchecked.clear();
  }

  private static void requireValid(List<Finding> findings, InputLocation place) {
    if (!findings.isEmpty()) {
      throw new InvalidDataException(findings, place);
    }
  }
}
