package dev.quiver.arrow.ipc;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.quiver.arrow.memory.Padding;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.SparseTensor;
import org.apache.arrow.flatbuf.SparseTensorIndex;
import org.apache.arrow.flatbuf.SparseTensorIndexCOO;
import org.apache.arrow.flatbuf.Tensor;
import org.apache.arrow.flatbuf.TensorDim;
import org.apache.arrow.flatbuf.Type;

/// Metadata of messages that our writer never writes, built with Arrow Java's generated code.
public final class ForeignMessages {

  /// The size of the tensors' bodies.
  public static final long BODY_BYTE_SIZE = 64;

  private ForeignMessages() {}

  /// Returns a tensor of 2 × 3 cells.
  public static MemorySegment tensor() {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int type = Int.createInt(builder, 64, true);
    int shape = Tensor.createShapeVector(builder, dimensions(builder, 2, 3));
    Tensor.startTensor(builder);
    Tensor.addTypeType(builder, Type.Int);
    Tensor.addType(builder, type);
    Tensor.addShape(builder, shape);
    Tensor.addData(builder, Buffer.createBuffer(builder, 0, 48));
    int tensor = Tensor.endTensor(builder);
    return message(builder, MetadataVersion.V5, MessageHeader.Tensor, tensor, BODY_BYTE_SIZE);
  }

  /// Returns a tensor of 100 × 100 cells, two of them stored.
  public static MemorySegment sparseTensor() {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int type = Int.createInt(builder, 64, true);
    int shape = SparseTensor.createShapeVector(builder, dimensions(builder, 100, 100));
    int indicesType = Int.createInt(builder, 64, true);
    SparseTensorIndexCOO.startSparseTensorIndexCOO(builder);
    SparseTensorIndexCOO.addIndicesType(builder, indicesType);
    SparseTensorIndexCOO.addIndicesBuffer(builder, Buffer.createBuffer(builder, 0, 32));
    int index = SparseTensorIndexCOO.endSparseTensorIndexCOO(builder);
    SparseTensor.startSparseTensor(builder);
    SparseTensor.addTypeType(builder, Type.Int);
    SparseTensor.addType(builder, type);
    SparseTensor.addShape(builder, shape);
    SparseTensor.addNonZeroLength(builder, 2);
    SparseTensor.addSparseIndexType(builder, SparseTensorIndex.SparseTensorIndexCOO);
    SparseTensor.addSparseIndex(builder, index);
    SparseTensor.addData(builder, Buffer.createBuffer(builder, 32, 16));
    int tensor = SparseTensor.endSparseTensor(builder);
    return message(builder, MetadataVersion.V5, MessageHeader.SparseTensor, tensor, BODY_BYTE_SIZE);
  }

  /// Returns a schema without fields.
  ///
  /// @param version the code of the metadata version
  /// @param features the codes of the declared features
  public static MemorySegment schema(short version, long... features) {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int fields = Schema.createFieldsVector(builder, new int[0]);
    int featuresVector = Schema.createFeaturesVector(builder, features);
    int schema = Schema.createSchema(builder, Endianness.Little, fields, 0, featuresVector);
    return message(builder, version, MessageHeader.Schema, schema, 0);
  }

  private static int[] dimensions(FlatBufferBuilder builder, long... sizes) {
    return Arrays.stream(sizes)
        .mapToInt(size -> TensorDim.createTensorDim(builder, size, 0))
        .toArray();
  }

  private static MemorySegment message(
      FlatBufferBuilder builder, short version, byte type, int header, long bodyLength) {
    builder.finish(Message.createMessage(builder, version, type, header, bodyLength, 0));
    byte[] bytes = builder.sizedByteArray();
    int padded = (int) Padding.padded(bytes.length, Framing.ALIGNMENT);
    return MemorySegment.ofArray(Arrays.copyOf(bytes, padded));
  }
}
