package dev.quiver.golden;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.compression.NoCompressionCodec;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.jspecify.annotations.Nullable;

/// Arrow Java's readers and writers.
final class ArrowJava {

  private ArrowJava() {}

  /// Reads the values of each column of each batch.
  static List<List<List<@Nullable Object>>> readStream(MemorySegment stream, Schema schema)
      throws IOException {
    byte[] bytes = stream.toArray(LittleEndian.INT8);
    try (BufferAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(
                new ByteArrayInputStream(bytes), allocator, CommonsCompressionFactory.INSTANCE)) {
      return read(reader, schema);
    }
  }

  /// Reads the values of each column of each batch.
  static List<List<List<@Nullable Object>>> readFile(MemorySegment file, Schema schema)
      throws IOException {
    byte[] bytes = file.toArray(LittleEndian.INT8);
    try (BufferAllocator allocator = new RootAllocator();
        ArrowFileReader reader =
            new ArrowFileReader(
                new ByteArrayReadableSeekableByteChannel(bytes),
                allocator,
                CommonsCompressionFactory.INSTANCE)) {
      return read(reader, schema);
    }
  }

  /// Rewrites the stream with Arrow Java.
  static MemorySegment rewriteAsStream(MemorySegment stream, Codec codec) throws IOException {
    return rewrite(
        stream,
        (root, dictionaries, output) ->
            new ArrowStreamWriter(
                root,
                dictionaries,
                output,
                IpcOption.DEFAULT,
                codec == Codec.NONE
                    ? NoCompressionCodec.Factory.INSTANCE
                    : CommonsCompressionFactory.INSTANCE,
                codecType(codec)));
  }

  /// Rewrites the stream as a file with Arrow Java.
  static MemorySegment rewriteAsFile(MemorySegment stream, Codec codec) throws IOException {
    return rewrite(
        stream,
        (root, dictionaries, output) ->
            new ArrowFileWriter(
                root,
                dictionaries,
                output,
                null,
                IpcOption.DEFAULT,
                codec == Codec.NONE
                    ? NoCompressionCodec.Factory.INSTANCE
                    : CommonsCompressionFactory.INSTANCE,
                codecType(codec)));
  }

  @FunctionalInterface
  private interface WriterFactory {
    ArrowWriter create(
        VectorSchemaRoot root, DictionaryProvider dictionaries, WritableByteChannel output);
  }

  private static MemorySegment rewrite(MemorySegment stream, WriterFactory writers)
      throws IOException {
    byte[] bytes = stream.toArray(LittleEndian.INT8);
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (BufferAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(
                new ByteArrayInputStream(bytes), allocator, CommonsCompressionFactory.INSTANCE)) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      // A stream's dictionaries are read with its first batch, and written when the writer starts.
      boolean more = reader.loadNextBatch();
      try (ArrowWriter writer = writers.create(root, reader, Channels.newChannel(output))) {
        for (writer.start(); more; more = reader.loadNextBatch()) {
          writer.writeBatch();
        }
        writer.end();
      }
    }
    return Decoded.Sink.copy(output.toByteArray());
  }

  private static CodecType codecType(Codec codec) {
    return switch (codec) {
      case NONE -> CodecType.NO_COMPRESSION;
      case LZ4 -> CodecType.LZ4_FRAME;
      case ZSTD -> CodecType.ZSTD;
    };
  }

  private static List<List<List<@Nullable Object>>> read(ArrowReader reader, Schema schema)
      throws IOException {
    List<List<List<@Nullable Object>>> batches = new ArrayList<>();
    while (reader.loadNextBatch()) {
      ArrowJavaValues values = new ArrowJavaValues(reader);
      List<List<@Nullable Object>> columns = new ArrayList<>();
      List<FieldVector> vectors = reader.getVectorSchemaRoot().getFieldVectors();
      for (int i = 0; i < vectors.size(); i++) {
        columns.add(values.of(schema.fields().get(i), vectors.get(i)));
      }
      batches.add(columns);
    }
    return batches;
  }
}
