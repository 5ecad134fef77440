package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.TensorSlots.SPARSE_TENSOR_NON_ZERO_LENGTH;
import static dev.quiver.arrow.metadata.TensorSlots.SPARSE_TENSOR_SHAPE;
import static dev.quiver.arrow.metadata.TensorSlots.SPARSE_TENSOR_TYPE;
import static dev.quiver.arrow.metadata.TensorSlots.SPARSE_TENSOR_TYPE_TYPE;
import static dev.quiver.arrow.metadata.TensorSlots.TENSOR_DIM_SIZE;
import static dev.quiver.arrow.metadata.TensorSlots.TENSOR_SHAPE;
import static dev.quiver.arrow.metadata.TensorSlots.TENSOR_TYPE;
import static dev.quiver.arrow.metadata.TensorSlots.TENSOR_TYPE_TYPE;

import dev.quiver.arrow.memory.UnsupportedInputException;
import dev.quiver.arrow.metadata.MessageHeader.SparseTensorHeader;
import dev.quiver.arrow.metadata.MessageHeader.TensorHeader;
import dev.quiver.arrow.type.ArrowType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A reader of the distinguishing properties of tables `Tensor` and `SparseTensor`.
final class TensorReader {

  /// More dimensions than any array library supports.
  private static final int DIMENSIONS_MAXIMUM = 64;

  private TensorReader() {}

  static TensorHeader read(FlatTable table) {
    return new TensorHeader(
        readType(table, TENSOR_TYPE_TYPE, TENSOR_TYPE), readShape(table.tables(TENSOR_SHAPE)));
  }

  static SparseTensorHeader readSparse(FlatTable table) {
    return new SparseTensorHeader(
        readType(table, SPARSE_TENSOR_TYPE_TYPE, SPARSE_TENSOR_TYPE),
        readShape(table.tables(SPARSE_TENSOR_SHAPE)),
        table.number(SPARSE_TENSOR_NON_ZERO_LENGTH));
  }

  private static @Nullable ArrowType readType(FlatTable table, Slot codeSlot, Slot typeSlot) {
    return table.has(codeSlot) ? TypeReader.read(table, codeSlot, typeSlot) : null;
  }

  private static List<Long> readShape(FlatVector dimensions) {
    if (dimensions.length() > DIMENSIONS_MAXIMUM) {
      throw new UnsupportedInputException(
          "at most " + DIMENSIONS_MAXIMUM + " dimensions",
          Integer.toString(dimensions.length()),
          dimensions.place());
    }
    List<Long> shape = new ArrayList<>(dimensions.length());
    for (int i = 0; i < dimensions.length(); i++) {
      shape.add(dimensions.table(i).number(TENSOR_DIM_SIZE));
    }
    return shape;
  }
}
