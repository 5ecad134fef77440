package dev.quiver.arrow.ipc;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Objects;

/// A reader that turns messages and their bodies into record batches and dictionaries of one
/// schema.
///
/// Arrays refer to the body or, if it is compressed or big-endian, to memory of the allocator.
public final class RecordBatchReader {

  private final Schema schema;
  private final boolean swapsBodies;
  private final DictionaryFields dictionaryFields;
  private final Dictionaries dictionaries = new Dictionaries();
  private final Limits limits;
  private final DecompressionBudget budget;

  /// @param schema the schema as received
  public RecordBatchReader(Schema schema, Limits limits) {
    this.schema = schema.withEndianness(Endianness.LITTLE);
    this.swapsBodies = schema.endianness() == Endianness.BIG;
    this.dictionaryFields = DictionaryFields.of(schema);
    this.limits = limits;
    this.budget = new DecompressionBudget(limits.decompressionRatio());
  }

  /// Returns the schema of the decoded batches, which are little-endian even if the bodies are not.
  public Schema schema() {
    return schema;
  }

  /// Returns whether bodies are big-endian, so that arrays are copies.
  public boolean swapsBodies() {
    return swapsBodies;
  }

  public DictionaryFields dictionaryFields() {
    return dictionaryFields;
  }

  /// Returns the dictionaries read so far.
  public Dictionaries dictionaries() {
    return dictionaries;
  }

  /// Reads a record batch.
  ///
  /// @throws InputException if nodes and buffers do not match the schema or the body
  public RecordBatch readBatch(
      EncapsulatedMessage encapsulated, MemorySegment body, SegmentAllocator allocator) {
    Message message = encapsulated.message();
    RecordBatchHeader header = (RecordBatchHeader) message.header();
    try {
      List<ArrayData> columns = readColumns(schema.fields(), message, header, body, allocator);
      return new RecordBatch(schema, header.length(), columns, message.customMetadata());
    } catch (InputException e) {
      throw e.within(encapsulated.place());
    }
  }

  /// Reads a dictionary batch, and replaces or extends the dictionary with its id. Later batches
  /// refer to it, so `body` and the allocator's memory must outlive them. Earlier batches keep the
  /// previous dictionary.
  ///
  /// @return the values of this message alone; see [#dictionaries] for all values of the dictionary
  public ArrayData readDictionary(
      EncapsulatedMessage encapsulated, MemorySegment body, SegmentAllocator allocator) {
    DictionaryBatchHeader header = (DictionaryBatchHeader) encapsulated.message().header();
    ArrayData dictionary = readValues(encapsulated, body, allocator);
    try {
      InputLocation place = InputLocation.detail("dictionary " + header.id());
      long byteSize = dictionary.byteSize();
      if (header.delta()) {
        ArrayData before = Objects.requireNonNull(dictionaries.get(header.id()));
        limits
            .dictionaryBytes()
            .check(before.byteSize() + byteSize, "bytes of a dictionary", place);
        long receivedByteSize = dictionaries.receivedByteSize(header.id()) + byteSize;
        DictionarySize.checkExtended(before, dictionary, receivedByteSize, limits, place);
        dictionaries.append(header.id(), dictionary, allocator, place);
      } else {
        limits.dictionaryBytes().check(byteSize, "bytes of a dictionary", place);
        dictionaries.put(header.id(), dictionary);
      }
      return dictionary;
    } catch (InputException e) {
      throw e.within(encapsulated.place());
    }
  }

  /// Reads the values of a dictionary batch without keeping them. Later arrays still refer to the
  /// contents of [#dictionaries].
  public ArrayData readValues(
      EncapsulatedMessage encapsulated, MemorySegment body, SegmentAllocator allocator) {
    Message message = encapsulated.message();
    DictionaryBatchHeader header = (DictionaryBatchHeader) message.header();
    List<Field> fields = List.of(requireKnown(encapsulated));
    try {
      return readColumns(fields, message, header.data(), body, allocator).getFirst();
    } catch (InputException e) {
      throw e.within(encapsulated.place());
    }
  }

  /// Checks that the schema has this dictionary, and for a delta that there are values to extend.
  /// Requires no body.
  ///
  /// @return the field of its values
  public Field requireKnown(EncapsulatedMessage encapsulated) {
    DictionaryBatchHeader header = (DictionaryBatchHeader) encapsulated.message().header();
    Field values = dictionaryFields.values(header.id());
    InputLocation place = encapsulated.place().withDetail("DictionaryBatch.id");
    if (values == null) {
      throw new MalformedInputException(
          "the id of a dictionary of the schema, one of " + dictionaryFields.byId().keySet(),
          Long.toString(header.id()),
          place);
    }
    if (header.delta() && !dictionaries.contains(header.id())) {
      throw new MalformedInputException(
          "dictionary " + header.id() + " before a delta to it", "only the delta", place);
    }
    return values;
  }

  private List<ArrayData> readColumns(
      List<Field> fields,
      Message message,
      RecordBatchHeader header,
      MemorySegment body,
      SegmentAllocator allocator) {
    LegacyValidityBuffers legacyValidity =
        LegacyValidityBuffers.of(message.version(), fields, header);
    try (BodyBuffers buffers = new BodyBuffers(header, body, allocator, limits, budget)) {
      return new BodyReader(header, legacyValidity, swapsBodies, buffers, dictionaries)
          .readColumns(fields);
    }
  }
}
