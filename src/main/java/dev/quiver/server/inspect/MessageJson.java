package dev.quiver.server.inspect;

import dev.quiver.arrow.ipc.Frame;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Message;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.metadata.MessageOutline;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// The report's entry for one message.
///
/// @param outline the outline, or null if even that is unreadable
/// @param message the message, or null if the metadata is unreadable
/// @param event the effect of a dictionary batch, or null
/// @param fields the fields of the nodes and buffers, as far as known
/// @param body the available part of the body
/// @param block the Block of the footer that points to the message, or null
record MessageJson(
    Frame frame,
    @Nullable MessageOutline outline,
    @Nullable Message message,
    Totals.@Nullable DictionaryEvent event,
    List<Field> fields,
    MemorySegment body,
    @Nullable NamedBlock block) {

  private static final List<String> TYPES =
      List.of("none", "schema", "dictionary batch", "record batch", "tensor", "sparse tensor");

  /// A Block and its name, such as `Footer.recordBatches[3]`.
  record NamedBlock(String name, Block block) {}

  void write(JsonGenerator json) {
    json.writeStartObject();
    json.writeNumberProperty("index", frame.index());
    json.writeNumberProperty("offset", frame.byteOffset());
    if (outline != null) {
      json.writeStringProperty("type", type(outline.headerType()));
      json.writeStringProperty("metadataVersion", version(outline.version()));
    }
    json.writeStringProperty("framing", frame.isLegacy() ? "legacy" : "continuation");
    json.writeNumberProperty("prefixLength", frame.prefixByteSize());
    json.writeNumberProperty("metadataLength", frame.metadata().byteSize());
    json.writeNumberProperty("alignment", BatchJson.alignment(frame.byteOffset()));
    if (outline != null) {
      long bodyOffset = frame.byteOffset() + frame.metaDataLength();
      json.writeNumberProperty("bodyOffset", bodyOffset);
      json.writeNumberProperty("bodyLength", outline.bodyLength());
      json.writeNumberProperty("bodyAlignment", BatchJson.alignment(bodyOffset));
    }
    writeBlock(json);
    if (message != null) {
      writeHeader(json, message);
    }
    json.writeEndObject();
  }

  private void writeBlock(JsonGenerator json) {
    if (block != null) {
      json.writeObjectPropertyStart("block");
      json.writeStringProperty("name", block.name());
      json.writeNumberProperty("offset", block.block().offset());
      json.writeNumberProperty("metaDataLength", block.block().metaDataLength());
      json.writeNumberProperty("bodyLength", block.block().bodyLength());
      json.writeEndObject();
    }
  }

  private void writeHeader(JsonGenerator json, Message known) {
    SchemaJson.writeMetadata(json, "customMetadata", known.customMetadata());
    switch (known.header()) {
      case SchemaHeader(var schema) -> {
        json.writeObjectPropertyStart("schema");
        SchemaJson.write(json, schema);
        json.writeEndObject();
      }
      case DictionaryBatchHeader header -> {
        json.writeObjectPropertyStart("dictionary");
        json.writeNumberProperty("id", header.id());
        json.writeBooleanProperty("delta", header.delta());
        if (event != null) {
          json.writeStringProperty("event", event.name());
          json.writeNumberProperty("values", event.length());
        }
        json.writeEndObject();
        BatchJson.write(json, header.data(), known.version(), fields, known.bodyLength(), body);
      }
      case RecordBatchHeader header ->
          BatchJson.write(json, header, known.version(), fields, known.bodyLength(), body);
      case MessageHeader.TensorHeader(var type, var shape) -> writeTensor(json, type, shape);
      case MessageHeader.SparseTensorHeader(var type, var shape, long nonZeroLength) -> {
        writeTensor(json, type, shape);
        json.writeNumberProperty("nonZeroLength", nonZeroLength);
      }
    }
  }

  private static void writeTensor(JsonGenerator json, @Nullable ArrowType type, List<Long> shape) {
    if (type != null) {
      json.writeStringProperty("cellType", type.toString());
    }
    json.writeArrayPropertyStart("shape");
    shape.forEach(json::writeNumber);
    json.writeEndArray();
  }

  /// Returns the name for a header of this code.
  static String type(long code) {
    return code >= 0 && code < TYPES.size() ? TYPES.get((int) code) : "code " + code;
  }

  private static String version(long code) {
    return code < 0 ? "code " + code : "V" + (code + 1);
  }
}
