package dev.quiver.server.resource;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.formats.Format;
import dev.quiver.server.http.EntityTag;
import dev.quiver.server.http.PublicPath;
import dev.quiver.store.file.MessageLayout;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonSerialize;

/// The positions of all buffers of a version in its IPC file, message by message.
///
/// @param schema the position of the schema message
/// @param footer of the footer's flatbuffer
/// @param dictionaries the number of dictionary messages, which come before the record batches
/// @param batches the number of record batches
/// @param next the next page, absent on the last one
public record LayoutDocument(
    String dataset,
    long version,
    String etag,
    @JsonSerialize(using = PublicPath.Serializer.class) String file,
    long rows,
    long bytes,
    Documents.ExtentJson schema,
    Documents.ExtentJson footer,
    int dictionaries,
    int batches,
    List<Message> messages,
    @JsonSerialize(using = PublicPath.Serializer.class) @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable String next) {

  /// A dictionary or record batch message.
  ///
  /// @param index the index among the messages of the version after its schema
  /// @param dictionary the id of a dictionary, absent for a record batch
  /// @param batch the index of a record batch, absent for a dictionary
  /// @param rowOffset the rows before a record batch, absent for a dictionary
  /// @param rows of a record batch, or the values of a dictionary
  public record Message(
      long index,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long dictionary,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long batch,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long rowOffset,
      long rows,
      long offset,
      int metaDataLength,
      long bodyLength,
      @Nullable String codec,
      List<Field> fields) {

    static Message of(MessageLayout layout, Snapshot snapshot, int dictionaryCount)
        throws IOException {
      boolean isBatch = layout.dictionary() == null;
      int batch = (int) layout.index() - dictionaryCount;
      String codec = Documents.codecName(layout.codec());
      return new Message(
          layout.index(),
          layout.dictionary(),
          isBatch ? (long) batch : null,
          isBatch ? snapshot.rowsBefore(batch) : null,
          layout.rows(),
          layout.block().offset(),
          layout.block().metaDataLength(),
          layout.block().bodyLength(),
          codec,
          layout.fields().stream().map(field -> new Field(field, isBatch, codec)).toList());
    }
  }

  /// A field, whose members are computed while the document is rendered: its path may be far longer
  /// than its name.
  @JsonPropertyOrder({"column", "path", "length", "nullCount", "buffers"})
  public record Field(
      @JsonIgnore MessageLayout.FieldLayout field,
      @JsonIgnore boolean isBatch,
      @JsonIgnore @Nullable String codec) {

    /// Returns the position of the column that has the field, or null in a dictionary.
    @JsonProperty
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public @Nullable Integer column() {
      return isBatch ? field.column() : null;
    }

    @JsonProperty
    public String path() {
      return field.path().toString();
    }

    @JsonProperty
    public long length() {
      return field.node().length();
    }

    @JsonProperty
    public long nullCount() {
      return field.node().nullCount();
    }

    @JsonProperty
    public List<BufferJson> buffers() {
      return field.buffers().stream().map(buffer -> BufferJson.of(buffer, codec)).toList();
    }
  }

  /// A buffer.
  ///
  /// @param offset its position in the file
  /// @param length its bytes there: if the message has a codec, with eight bytes before the data
  /// @param codec of the bytes, absent if they are not compressed
  public record BufferJson(
      BufferRole role,
      long offset,
      long length,
      long uncompressedLength,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String codec) {

    static BufferJson of(MessageLayout.StoredBuffer buffer, @Nullable String codec) {
      return new BufferJson(
          buffer.role(),
          buffer.byteOffset(),
          buffer.byteSize(),
          buffer.uncompressedByteSize(),
          buffer.compressed() ? codec : null);
    }
  }

  /// Returns a page of at most `count` messages from index `from` on.
  public static LayoutDocument of(Snapshot snapshot, long from, int count) throws IOException {
    VersionSummary summary = snapshot.summary();
    String pinned = DatasetPath.pinned(summary);
    int dictionaryCount = snapshot.footer().dictionaries().size();
    List<Message> messages = new ArrayList<>();
    for (MessageLayout layout : snapshot.layouts(from, count)) {
      messages.add(Message.of(layout, snapshot, dictionaryCount));
    }
    long messageCount = (long) dictionaryCount + snapshot.batchCount();
    boolean more = from < messageCount - messages.size();
    return new LayoutDocument(
        summary.name().value(),
        summary.version(),
        EntityTag.of(summary.id()).toString(),
        pinned + Format.FILE.suffix(),
        summary.file().rows(),
        summary.file().byteSize(),
        Documents.ExtentJson.of(snapshot.schemaMessage()),
        Documents.ExtentJson.of(snapshot.footerRange()),
        dictionaryCount,
        snapshot.batchCount(),
        messages,
        more
            ? "%s/layout?from=%d&count=%d".formatted(pinned, from + messages.size(), count)
            : null);
  }
}
