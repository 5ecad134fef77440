package dev.quiver.arrow.metadata;

import static dev.quiver.arrow.metadata.Slot.Type.INT64;
import static dev.quiver.arrow.metadata.Slot.Type.OFFSET;
import static dev.quiver.arrow.metadata.Slot.Type.UINT8;

/// The fields of `format/Tensor.fbs` and `format/SparseTensor.fbs` that distinguish tensors. The
/// others are not read.
final class TensorSlots {

  static final Slot TENSOR_TYPE_TYPE = new Slot("Tensor.type_type", 0, UINT8);
  static final Slot TENSOR_TYPE = new Slot("Tensor.type", 1, OFFSET);
  static final Slot TENSOR_SHAPE = new Slot("Tensor.shape", 2, OFFSET);
  static final Slot TENSOR_DIM_SIZE = new Slot("TensorDim.size", 0, INT64);
  static final Slot SPARSE_TENSOR_TYPE_TYPE = new Slot("SparseTensor.type_type", 0, UINT8);
  static final Slot SPARSE_TENSOR_TYPE = new Slot("SparseTensor.type", 1, OFFSET);
  static final Slot SPARSE_TENSOR_SHAPE = new Slot("SparseTensor.shape", 2, OFFSET);
  static final Slot SPARSE_TENSOR_NON_ZERO_LENGTH =
      new Slot("SparseTensor.non_zero_length", 3, INT64);

  private TensorSlots() {}
}
