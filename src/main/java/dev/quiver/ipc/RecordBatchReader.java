package dev.quiver.ipc;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.Endianness;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.input.InputException;
import dev.quiver.input.InputLocation;
import dev.quiver.input.Limits;
import dev.quiver.input.MalformedInputException;
import dev.quiver.metadata.Message;
import dev.quiver.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Objects;

/// Turns messages and their bodies into record batches and dictionaries of one schema.
///
/// Arrays refer to the body, or, where it is compressed or big-endian, to what the allocator gave.
public final class RecordBatchReader {

  private final Schema schema;
  private final boolean swapsBodies;
  private final DictionaryFields dictionaryFields;
  private final Dictionaries dictionaries = new Dictionaries();
  private final Limits limits;
  private final DecompressionBudget unfolding;

  /// @param schema as it was read
  public RecordBatchReader(Schema schema, Limits limits) {
    this.schema = schema.withEndianness(Endianness.LITTLE);
    this.swapsBodies = schema.endianness() == Endianness.BIG;
    this.dictionaryFields = DictionaryFields.of(schema);
    this.limits = limits;
    this.unfolding = new DecompressionBudget(limits.decompressionRatio());
  }

  /// The schema of the batches that this gives, which are little-endian whatever the bodies are.
  public Schema schema() {
    return schema;
  }

  /// Whether bodies are big-endian, so that arrays are copies of what is in them.
  public boolean swapsBodies() {
    return swapsBodies;
  }

  public DictionaryFields dictionaryFields() {
    return dictionaryFields;
  }

  /// The dictionaries read so far.
  public Dictionaries dictionaries() {
    return dictionaries;
  }

  /// Reads a record batch.
  ///
  /// @throws InputException when nodes and buffers are not what the schema and the body allow
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

  /// Reads a dictionary batch and keeps it, in the place of one with the same id, or appended to
  /// it: batches read afterwards refer to it, so `body` and what the allocator gives must outlive
  /// them. Batches read before keep what they refer to.
  ///
  /// @return the values of this message alone; see [#dictionaries] for all of the dictionary's
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

  /// Reads the values of a dictionary batch and does not keep them: what arrays read afterwards
  /// refer to is what was put in [#dictionaries].
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

  /// Checks, before its body is read, that this dictionary is one of the schema's, and if it is a
  /// delta that there is something to append it to.
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
    LegacyValidityBuffers formerValidity =
        LegacyValidityBuffers.of(message.version(), fields, header);
    try (BodyBuffers buffers = new BodyBuffers(header, body, allocator, limits, unfolding)) {
      return new BodyReader(header, formerValidity, swapsBodies, buffers, dictionaries)
          .readColumns(fields);
    }
  }
}
