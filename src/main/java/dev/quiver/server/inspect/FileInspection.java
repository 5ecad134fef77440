package dev.quiver.server.inspect;

import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.Frame;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.FooterDecoder;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageDecoder;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.metadata.MessageOutline;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.ScratchFile;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// An inspection of a spooled file through its footer, and of the bytes that no Block points to.
final class FileInspection {

  private static final long CHUNK_BYTE_SIZE = 1 << 20;

  /// The footer itself stays in the file. Only the records decoded from it take memory.
  private static final long HELD_BYTES_PER_FOOTER_BYTE = 4;

  private final InspectOptions options;
  private final Inspection inspection;
  private final FindingLog findings;
  private final MessageInspection messages;
  private final InFlightBytes.Charge charge;
  private final MemorySegment file;
  private final long footerOffset;
  private final @Nullable Footer footer;
  private final FooterBlocks blocks;
  private long endOfStreamOffset = -1;
  private @Nullable Schema embeddedSchema;
  private final Set<Long> whole = new HashSet<>();
  private long lastDictionaryOffset;
  private boolean batchSeen;

  /// @param charge the charge for the metadata
  /// @param arena the lifetime of the file on disk
  FileInspection(
      ByteSource source,
      InspectOptions options,
      Inspection inspection,
      InFlightBytes.Charge charge,
      Arena arena)
      throws IOException {
    this.options = options;
    this.inspection = inspection;
    this.charge = charge;
    this.findings = inspection.findings();
    this.messages = inspection.messages();
    this.file = spool(source, arena);
    long offset = file.byteSize();
    Footer read = null;
    try {
      int byteSize = FileReader.footerByteSize(file, options.limits());
      offset = file.byteSize() - Framing.FILE_TRAILER_BYTE_SIZE - byteSize;
      charge.take(byteSize * HELD_BYTES_PER_FOOTER_BYTE, InputLocation.byteOffset(offset));
      read = FooterDecoder.decode(file.asSlice(offset, byteSize), options.limits());
    } catch (InputException e) {
      findings.add(e.within(InputLocation.byteOffset(offset)));
    }
    this.footerOffset = offset;
    this.footer = read;
    this.blocks = read == null ? FooterBlocks.none() : FooterBlocks.of(read);
  }

  void run() throws IOException {
    if (!Framing.isMagic(file, 0)) {
      findings.add(
          FindingKind.MALFORMED,
          "ARROW1 at the start of a file",
          "other bytes",
          InputLocation.byteOffset(0));
    }
    if (footer != null) {
      messages.useSchema(
          footer.schema(), InputLocation.byteOffset(footerOffset).withDetail("Footer.schema"));
      try {
        FileReader.requireSmallBlocks(footer, file.byteSize());
      } catch (InputException e) {
        findings.add(e);
      }
      readDictionaries();
    }
    Reporting reporting = new Reporting();
    endOfStreamOffset = walk(reporting);
    if (footer != null) {
      messages.finish();
      compareSchemas(footer.schema());
      if (!blocks.isInOrder()) {
        findings.add(
            FindingKind.BLOCK_ORDER,
            "record batches in the order of the footer",
            "another order",
            InputLocation.byteOffset(footerOffset).withDetail("Footer.recordBatches"));
      }
    }
  }

  /// Writes the properties of the file outside of its messages as an object.
  void write(JsonGenerator json) {
    json.writeStartObject();
    json.writeBooleanProperty("leadingMagic", Framing.isMagic(file, 0));
    long trailing = file.byteSize() - 6;
    json.writeBooleanProperty(
        "trailingMagic",
        trailing >= Framing.FILE_HEADER_BYTE_SIZE && Framing.isMagic(file, trailing));
    json.writeStringProperty("schemaMessage", schemaMessage());
    if (endOfStreamOffset >= 0) {
      json.writeNumberProperty("endOfStream", endOfStreamOffset);
    }
    if (footer != null) {
      json.writeObjectPropertyStart("footer");
      json.writeStringProperty("metadataVersion", footer.version().name());
      json.writeNumberProperty("offset", footerOffset);
      json.writeNumberProperty(
          "length", file.byteSize() - Framing.FILE_TRAILER_BYTE_SIZE - footerOffset);
      json.writeNumberProperty("dictionaries", footer.dictionaries().size());
      json.writeNumberProperty("recordBatches", footer.recordBatches().size());
      SchemaJson.writeMetadata(json, "customMetadata", footer.customMetadata());
      if (!footer.schema().equals(embeddedSchema)) {
        json.writeObjectPropertyStart("schema");
        SchemaJson.write(json, footer.schema());
        json.writeEndObject();
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private String schemaMessage() {
    if (embeddedSchema == null) {
      return "absent";
    }
    if (footer == null) {
      return "present";
    }
    return footer.schema().equals(embeddedSchema) ? "equal" : "different";
  }

  private void compareSchemas(Schema schema) {
    InputLocation place = InputLocation.byteOffset(Framing.FILE_HEADER_BYTE_SIZE);
    if (embeddedSchema == null) {
      findings.add(FindingKind.NO_SCHEMA_MESSAGE, "a schema message", "none", place);
    } else if (!embeddedSchema.equals(schema)) {
      findings.add(
          FindingKind.SCHEMA_DIFFERS, "the schema of the footer", "a different one", place);
    }
  }

  private MemorySegment spool(ByteSource source, Arena arena) throws IOException {
    MemorySegment chunk =
        messages.dictionaryMemory().allocate(CHUNK_BYTE_SIZE, Framing.BODY_ALIGNMENT);
    try (ScratchFile spool = new ScratchFile(options.scratchFolder())) {
      for (long count = source.read(chunk); count >= 0; count = source.read(chunk)) {
        spool.write(chunk.asSlice(0, count));
      }
      return spool.map(0, spool.position(), arena);
    }
  }

  private long walk(FileWalk.Visitor visitor) throws IOException {
    FileWalk walk = newWalk(visitor);
    walk.run();
    return walk.endOfStreamOffset();
  }

  private FileWalk newWalk(FileWalk.Visitor visitor) {
    return new FileWalk(file, blocks, footerOffset, options.limits(), charge, visitor);
  }

  /// Reads the dictionaries that the footer lists, inner ones first. They may be anywhere in the
  /// file and apply to all its batches.
  private void readDictionaries() throws IOException {
    Map<Long, Integer> order = new HashMap<>();
    for (long id : messages.dictionaryIds()) {
      order.put(id, order.size());
    }
    if (order.isEmpty()) {
      return;
    }
    List<DictionaryPlace> places = new ArrayList<>();
    walk(
        new Dictionaries((frame, _, header, block, _) ->
            places.add(
                new DictionaryPlace(
                    order.getOrDefault(header.id(), 0),
                    blocks.number(block),
                    block,
                    frame.index()))));
    places.sort(DictionaryPlace.ORDER);
    // The metadata of all dictionaries may be as large as the file, so each is read again.
    FileWalk again =
        newWalk(
            new Dictionaries(
                (frame, message, header, _, body) -> readDictionary(frame, message, header, body)));
    for (DictionaryPlace place : places) {
      again.visitAgain(place.block, place.messageIndex);
    }
  }

  /// The position of a dictionary batch.
  ///
  /// @param order the position of its id in the schema, inner ones first
  /// @param number the position in the footer, which is the order of deltas
  /// @param block the position of its Block
  private record DictionaryPlace(int order, long number, int block, long messageIndex) {

    static final Comparator<DictionaryPlace> ORDER =
        Comparator.comparingInt(DictionaryPlace::order).thenComparingLong(DictionaryPlace::number);
  }

  private void readDictionary(
      Frame frame, Message message, DictionaryBatchHeader header, MemorySegment body) {
    if (!header.delta() && !whole.add(header.id())) {
      findings.add(
          FindingKind.MALFORMED,
          "one non-delta batch of dictionary " + header.id() + " in a file",
          "a second one",
          frame.place());
    }
    if (frame.byteOffset() < lastDictionaryOffset) {
      findings.addChange(FindingKind.LATE_DICTIONARY.requiredChange());
    }
    lastDictionaryOffset = frame.byteOffset();
    messages.checkDictionary(frame, message, header, body);
  }

  private @Nullable Message decodeQuietly(Frame frame) {
    try {
      return MessageDecoder.decode(frame.metadata(), options.limits());
    } catch (InputException e) {
      // The visitor reports the error.
      return null;
    }
  }

  /// A visitor of the dictionary batches that a Block points to.
  private interface DictionaryVisitor {
    void take(
        Frame frame, Message message, DictionaryBatchHeader header, int block, MemorySegment body);
  }

  /// A filter that passes on only complete dictionary batches.
  private final class Dictionaries implements FileWalk.Visitor {

    private final DictionaryVisitor visitor;

    Dictionaries(DictionaryVisitor visitor) {
      this.visitor = visitor;
    }

    @Override
    public void finding(FindingKind kind, String expected, String found, InputLocation place) {}

    @Override
    public void finding(InputException e) {}

    @Override
    public void message(
        Frame frame, @Nullable MessageOutline outline, int block, MemorySegment body) {
      Message message = block == FileWalk.UNNAMED ? null : decodeQuietly(frame);
      if (message != null
          && message.header() instanceof DictionaryBatchHeader header
          && body.byteSize() == message.bodyLength()) {
        visitor.take(frame, message, header, block, body);
      }
    }
  }

  /// A visitor that reports every finding.
  private final class Reporting implements FileWalk.Visitor {

    @Override
    public void finding(FindingKind kind, String expected, String found, InputLocation place) {
      findings.add(kind, expected, found, place);
    }

    @Override
    public void finding(InputException e) {
      findings.add(e);
    }

    @Override
    public void message(
        Frame frame, @Nullable MessageOutline outline, int block, MemorySegment body) {
      boolean read = block != FileWalk.UNNAMED || footer == null;
      Message message = read ? messages.decode(frame) : decodeQuietly(frame);
      Totals.DictionaryEvent event = null;
      if (message != null) {
        if (read || isRetainedSchema(frame, message)) {
          messages.checkForm(frame, message);
        }
        event = inspection.count(frame, message);
        checkPlace(frame, message, block);
        check(frame, message, block, body);
      }
      List<Field> fields = message == null ? List.of() : messages.fields(message);
      MessageJson.NamedBlock named =
          block == FileWalk.UNNAMED
              ? null
              : new MessageJson.NamedBlock(blocks.name(block), blocks.get(block));
      inspection.add(new MessageJson(frame, outline, message, event, fields, body, named));
    }

    /// Returns whether this is the schema message, which an upload keeps although no Block points
    /// to it.
    private boolean isRetainedSchema(Frame frame, Message message) {
      return footer != null
          && frame.byteOffset() == Framing.FILE_HEADER_BYTE_SIZE
          && message.header() instanceof SchemaHeader(var schema)
          && schema.equals(footer.schema());
    }

    /// Checks that the message is where the footer expects one of its kind, or reports that no
    /// Block points to it.
    private void checkPlace(Frame frame, Message message, int block) {
      if (block != FileWalk.UNNAMED) {
        boolean right =
            blocks.isDictionary(block)
                ? message.header() instanceof DictionaryBatchHeader
                : message.header() instanceof RecordBatchHeader;
        if (!right) {
          findings.add(
              FindingKind.BLOCK,
              blocks.isDictionary(block) ? "a dictionary batch" : "a record batch",
              "another message",
              frame.place().withDetail(blocks.name(block)));
        }
      } else if (message.header() instanceof SchemaHeader(var schema) && frame.index() == 0) {
        embeddedSchema = schema;
        if (frame.byteOffset() != Framing.FILE_HEADER_BYTE_SIZE) {
          findings.addChange(FindingKind.SCHEMA_DIFFERS.requiredChange());
        }
        if (footer == null) {
          messages.useSchema(schema, frame.place());
        }
      } else if (footer != null) {
        findings.add(
            FindingKind.UNNAMED_MESSAGE,
            "a Block that points to the message",
            "none",
            frame.place());
      }
    }

    private void check(Frame frame, Message message, int block, MemorySegment body) {
      if (block == FileWalk.UNNAMED && footer != null) {
        return;
      }
      if (body.byteSize() < message.bodyLength()) {
        findings.add(
            FindingKind.TRUNCATED,
            "a body of " + message.bodyLength() + " bytes",
            "the footer after " + body.byteSize(),
            frame.place());
        return;
      }
      switch (message.header()) {
        case RecordBatchHeader _ -> {
          batchSeen = true;
          messages.checkBatch(frame, message, body);
        }
        case DictionaryBatchHeader header -> {
          if (batchSeen) {
            findings.addChange(FindingKind.LATE_DICTIONARY.requiredChange());
          }
          if (footer == null) {
            messages.checkDictionary(frame, message, header, body);
          }
        }
        case SchemaHeader _, MessageHeader.TensorHeader _, MessageHeader.SparseTensorHeader _ -> {}
      }
    }
  }
}
