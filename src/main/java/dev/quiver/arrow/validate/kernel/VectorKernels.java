package dev.quiver.arrow.validate.kernel;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// Kernels with the machine's vector instructions.
///
/// Results of whole vectors are evaluated only at the end of a block, since a branch costs more
/// than it saves.
final class VectorKernels implements Kernels {

  private static final VectorSpecies<Byte> BYTES = Utf8Vectors.BYTES;
  private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;

  private final Kernels scalar = new ScalarKernels();

  @Override
  public boolean isAscii(byte[] text, int start, int end) {
    int step = BYTES.length();
    int position = start;
    for (; position <= end - 4 * step; position += 4 * step) {
      ByteVector bytes =
          ByteVector.fromArray(BYTES, text, position)
              .or(ByteVector.fromArray(BYTES, text, position + step))
              .or(ByteVector.fromArray(BYTES, text, position + 2 * step))
              .or(ByteVector.fromArray(BYTES, text, position + 3 * step));
      if (bytes.test(VectorOperators.IS_NEGATIVE).anyTrue()) {
        return false;
      }
    }
    ByteVector bytes = ByteVector.zero(BYTES);
    for (; position < end; position += step) {
      bytes = bytes.or(ByteVector.fromArray(BYTES, text, position));
    }
    return !bytes.test(VectorOperators.IS_NEGATIVE).anyTrue();
  }

  @Override
  public boolean isUtf8(byte[] text, int start, int end) {
    return Utf8Vectors.isUtf8(text, start, end);
  }

  @Override
  public boolean ascend(int[] values, int start, int end) {
    VectorMask<Integer> wrong = INTS.maskAll(false);
    int i = start;
    for (; i <= end - INTS.length(); i += INTS.length()) {
      IntVector current = IntVector.fromArray(INTS, values, i);
      wrong = wrong.or(current.lt(IntVector.fromArray(INTS, values, i - 1)));
    }
    return !wrong.anyTrue() && scalar.ascend(values, i, end);
  }

  @Override
  public boolean ascend(long[] values, int start, int end) {
    VectorMask<Long> wrong = LONGS.maskAll(false);
    int i = start;
    for (; i <= end - LONGS.length(); i += LONGS.length()) {
      LongVector current = LongVector.fromArray(LONGS, values, i);
      wrong = wrong.or(current.lt(LongVector.fromArray(LONGS, values, i - 1)));
    }
    return !wrong.anyTrue() && scalar.ascend(values, i, end);
  }

  @Override
  public boolean areBelow(byte[] values, int start, int end, byte limit) {
    VectorMask<Byte> wrong = BYTES.maskAll(false);
    int i = start;
    for (; i <= end - BYTES.length(); i += BYTES.length()) {
      ByteVector current = ByteVector.fromArray(BYTES, values, i);
      wrong = wrong.or(current.compare(VectorOperators.UGE, limit));
    }
    return !wrong.anyTrue() && scalar.areBelow(values, i, end, limit);
  }

  @Override
  public boolean areBelow(short[] values, int start, int end, short limit) {
    VectorMask<Short> wrong = SHORTS.maskAll(false);
    int i = start;
    for (; i <= end - SHORTS.length(); i += SHORTS.length()) {
      ShortVector current = ShortVector.fromArray(SHORTS, values, i);
      wrong = wrong.or(current.compare(VectorOperators.UGE, limit));
    }
    return !wrong.anyTrue() && scalar.areBelow(values, i, end, limit);
  }

  @Override
  public boolean areBelow(int[] values, int start, int end, int limit) {
    VectorMask<Integer> wrong = INTS.maskAll(false);
    int i = start;
    for (; i <= end - INTS.length(); i += INTS.length()) {
      IntVector current = IntVector.fromArray(INTS, values, i);
      wrong = wrong.or(current.compare(VectorOperators.UGE, limit));
    }
    return !wrong.anyTrue() && scalar.areBelow(values, i, end, limit);
  }

  @Override
  public boolean areBelow(long[] values, int start, int end, long limit) {
    VectorMask<Long> wrong = LONGS.maskAll(false);
    int i = start;
    for (; i <= end - LONGS.length(); i += LONGS.length()) {
      LongVector current = LongVector.fromArray(LONGS, values, i);
      wrong = wrong.or(current.compare(VectorOperators.UGE, limit));
    }
    return !wrong.anyTrue() && scalar.areBelow(values, i, end, limit);
  }

  @Override
  public String description() {
    return "vectors of " + BYTES.vectorBitSize() + " bits";
  }
}
