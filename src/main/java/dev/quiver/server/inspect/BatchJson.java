package dev.quiver.server.inspect;

import dev.quiver.arrow.ipc.BatchFields;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/// A writer of the nodes and buffers of a batch, each with its field if the schema has one for it.
final class BatchJson {

  private final JsonGenerator json;
  private final RecordBatchHeader header;
  private final MemorySegment body;
  private final BatchFields fields;

  private BatchJson(
      JsonGenerator json, RecordBatchHeader header, MemorySegment body, BatchFields fields) {
    this.json = json;
    this.header = header;
    this.body = body;
    this.fields = fields;
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
    BatchFields described = BatchFields.of(version, fields, header);
    BatchJson writer = new BatchJson(json, header, body, described);
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

  private void writeNodes() {
    json.writeArrayPropertyStart("nodes");
    for (int i = 0; i < header.nodes().size(); i++) {
      FieldNode node = header.nodes().get(i);
      json.writeStartObject();
      if (i < fields.nodes().size()) {
        json.writeStringProperty("path", path(i));
      }
      json.writeNumberProperty("length", node.length());
      json.writeNumberProperty("nullCount", node.nullCount());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private String path(int node) {
    return fields.nodes().get(node).path().toString();
  }

  private void writeBuffers() {
    json.writeArrayPropertyStart("buffers");
    for (int i = 0; i < header.buffers().size(); i++) {
      Buffer buffer = header.buffers().get(i);
      json.writeStartObject();
      if (i < fields.buffers().size()) {
        BatchFields.BufferUse use = fields.buffers().get(i);
        json.writeStringProperty("path", path(use.node()));
        json.writeStringProperty("role", use.role().name());
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
}
