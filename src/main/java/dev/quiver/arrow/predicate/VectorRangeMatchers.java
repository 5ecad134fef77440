package dev.quiver.arrow.predicate;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// Tests with the machine's vector instructions.
final class VectorRangeMatchers implements RangeMatchers {

  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;

  @Override
  public void test(byte[] values, int length, byte low, byte span, long[] matched) {
    ByteVector first = ByteVector.broadcast(BYTES, low);
    ByteVector limit = ByteVector.broadcast(BYTES, span);
    for (int start = 0; start < length; start += Long.SIZE) {
      long word = 0;
      for (int i = 0; i < Long.SIZE; i += BYTES.length()) {
        ByteVector current = ByteVector.fromArray(BYTES, values, start + i);
        word |= current.sub(first).compare(VectorOperators.ULE, limit).toLong() << i;
      }
      matched[start >>> 6] |= word;
    }
  }

  @Override
  public void test(short[] values, int length, short low, short span, long[] matched) {
    ShortVector first = ShortVector.broadcast(SHORTS, low);
    ShortVector limit = ShortVector.broadcast(SHORTS, span);
    for (int start = 0; start < length; start += Long.SIZE) {
      long word = 0;
      for (int i = 0; i < Long.SIZE; i += SHORTS.length()) {
        ShortVector current = ShortVector.fromArray(SHORTS, values, start + i);
        word |= current.sub(first).compare(VectorOperators.ULE, limit).toLong() << i;
      }
      matched[start >>> 6] |= word;
    }
  }

  @Override
  public void test(int[] values, int length, int low, int span, long[] matched) {
    IntVector first = IntVector.broadcast(INTS, low);
    IntVector limit = IntVector.broadcast(INTS, span);
    for (int start = 0; start < length; start += Long.SIZE) {
      long word = 0;
      for (int i = 0; i < Long.SIZE; i += INTS.length()) {
        IntVector current = IntVector.fromArray(INTS, values, start + i);
        word |= current.sub(first).compare(VectorOperators.ULE, limit).toLong() << i;
      }
      matched[start >>> 6] |= word;
    }
  }

  @Override
  public void test(long[] values, int length, long low, long span, long[] matched) {
    LongVector first = LongVector.broadcast(LONGS, low);
    LongVector limit = LongVector.broadcast(LONGS, span);
    for (int start = 0; start < length; start += Long.SIZE) {
      long word = 0;
      for (int i = 0; i < Long.SIZE; i += LONGS.length()) {
        LongVector current = LongVector.fromArray(LONGS, values, start + i);
        word |= current.sub(first).compare(VectorOperators.ULE, limit).toLong() << i;
      }
      matched[start >>> 6] |= word;
    }
  }
}
