package dev.quiver.inspect;

import dev.quiver.columnar.BufferLayout;
import dev.quiver.columnar.BufferRole;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.FieldPath;
import dev.quiver.columnar.Layout;
import dev.quiver.ipc.Framing;
import dev.quiver.ipc.LegacyValidityBuffers;
import dev.quiver.memory.LittleEndian;
import dev.quiver.metadata.Buffer;
import dev.quiver.metadata.FieldNode;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.metadata.MetadataVersion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// A writer of the nodes and buffers of a batch, each with its field if the schema has one for it.
final class BatchJson {

  private final JsonGenerator json;
  private final RecordBatchHeader header;
  private final MemorySegment body;
  private final List<FieldPath> nodePaths = new ArrayList<>();
  private final List<Use> uses = new ArrayList<>();
  private final Iterator<Long> variadicBufferCounts;

  private BatchJson(JsonGenerator json, RecordBatchHeader header, MemorySegment body) {
    this.json = json;
    this.header = header;
    this.body = body;
    this.variadicBufferCounts = header.variadicBufferCounts().iterator();
  }

  /// Writes the members of a batch into an open object.
  ///
  /// @param fields the fields of the schema, or of the dictionary; empty if unknown
  /// @param bodyLength bytes of the whole body
  /// @param body the available part of the body
  static void write(
      JsonGenerator json,
      RecordBatchHeader header,
      MetadataVersion version,
      List<Field> fields,
      long bodyLength,
      MemorySegment body) {
    BatchJson writer = new BatchJson(json, header, body);
    LegacyValidityBuffers legacyValidity = LegacyValidityBuffers.of(version, fields, header);
    fields.forEach(field -> writer.assign(field, FieldPath.of(field), legacyValidity));
    json.writeNumberProperty("rows", header.length());
    if (header.compression() != null) {
      json.writeStringProperty("codec", header.compression().codec().name());
      json.writeStringProperty("method", "BUFFER");
    }
    writer.writeNodes();
    writer.writeBuffers();
    json.writeArrayPropertyStart("variadicBufferCounts");
    header.variadicBufferCounts().forEach(json::writeNumber);
    json.writeEndArray();
    json.writeNumberProperty("bodyPadding", bodyLength - writer.end());
  }

  /// Returns the end of the last buffer in the body.
  private long end() {
    long end = 0;
    for (Buffer buffer : header.buffers()) {
      if (buffer.length() > 0) {
        end = Math.max(end, buffer.offset() + buffer.length());
      }
    }
    return end;
  }

  /// Assigns nodes and buffers in their order: parents before children.
  private void assign(Field field, FieldPath path, LegacyValidityBuffers legacyValidity) {
    nodePaths.add(path);
    if (legacyValidity.concerns(field)) {
      uses.add(new Use(path, BufferRole.VALIDITY));
    }
    Layout layout = Layout.of(field);
    for (BufferLayout buffer : layout.buffers()) {
      uses.add(new Use(path, buffer.role()));
    }
    if (layout.variadic() && variadicBufferCounts.hasNext()) {
      // Caps a forged count at the number of buffers.
      long count = Math.min(variadicBufferCounts.next(), header.buffers().size() - uses.size());
      for (long i = 0; i < count; i++) {
        uses.add(new Use(path, BufferRole.DATA));
      }
    }
    for (Field child : field.storageChildren()) {
      assign(child, path.child(child), legacyValidity);
    }
  }

  private void writeNodes() {
    json.writeArrayPropertyStart("nodes");
    for (int i = 0; i < header.nodes().size(); i++) {
      FieldNode node = header.nodes().get(i);
      json.writeStartObject();
      if (i < nodePaths.size()) {
        json.writeStringProperty("path", nodePaths.get(i).toString());
      }
      json.writeNumberProperty("length", node.length());
      json.writeNumberProperty("nullCount", node.nullCount());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void writeBuffers() {
    json.writeArrayPropertyStart("buffers");
    for (int i = 0; i < header.buffers().size(); i++) {
      Buffer buffer = header.buffers().get(i);
      json.writeStartObject();
      if (i < uses.size()) {
        json.writeStringProperty("path", uses.get(i).path().toString());
        json.writeStringProperty("role", uses.get(i).role().name());
      }
      json.writeNumberProperty("offset", buffer.offset());
      json.writeNumberProperty("length", buffer.length());
      json.writeNumberProperty("alignment", alignment(buffer.offset()));
      Long uncompressedLength = uncompressedLength(buffer);
      if (uncompressedLength != null) {
        json.writeNumberProperty("uncompressedLength", uncompressedLength);
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /// Returns the uncompressed length that precedes a compressed buffer, or null if absent. A length
  /// of -1 means that the buffer is not compressed.
  private @Nullable Long uncompressedLength(Buffer buffer) {
    boolean present =
        header.compression() != null
            && buffer.length() >= Long.BYTES
            && buffer.offset() <= body.byteSize() - Long.BYTES;
    return present ? LittleEndian.getInt64(body, buffer.offset()) : null;
  }

  /// Returns the largest power of two, up to 64, that divides `byteOffset`.
  static long alignment(long byteOffset) {
    return Long.lowestOneBit(byteOffset | Framing.BODY_ALIGNMENT);
  }

  private record Use(FieldPath path, BufferRole role) {}
}
