package dev.quiver.arrow.statistics;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/// Kernels with the machine's vector instructions.
final class VectorRangeKernels implements RangeKernels {

  private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;

  private final RangeKernels scalar = new ScalarRangeKernels();

  @Override
  public void extend(byte[] values, int length, long @Nullable [] words, LongRange range) {
    int step = BYTES.length();
    if (length < 2 * step) {
      scalar.extend(values, length, words, range);
      return;
    }
    ByteVector least = ByteVector.broadcast(BYTES, Byte.MAX_VALUE);
    ByteVector greatest = ByteVector.broadcast(BYTES, Byte.MIN_VALUE);
    int whole = BYTES.loopBound(length);
    if (words == null) {
      ByteVector otherLeast = least;
      ByteVector otherGreatest = greatest;
      int i = 0;
      for (; i <= whole - 2 * step; i += 2 * step) {
        ByteVector first = ByteVector.fromArray(BYTES, values, i);
        ByteVector second = ByteVector.fromArray(BYTES, values, i + step);
        least = least.min(first);
        greatest = greatest.max(first);
        otherLeast = otherLeast.min(second);
        otherGreatest = otherGreatest.max(second);
      }
      // The last vectors overlap: a value that counts twice changes nothing.
      ByteVector last = ByteVector.fromArray(BYTES, values, length - step);
      ByteVector beforeLast = ByteVector.fromArray(BYTES, values, length - 2 * step);
      least = least.min(otherLeast).min(last).min(beforeLast);
      greatest = greatest.max(otherGreatest).max(last).max(beforeLast);
    } else {
      for (int i = 0; i < whole; i += step) {
        VectorMask<Byte> considered = VectorMask.fromLong(BYTES, words[i >>> 6] >>> (i & 63));
        ByteVector current = ByteVector.fromArray(BYTES, values, i);
        least = least.lanewise(VectorOperators.MIN, current, considered);
        greatest = greatest.lanewise(VectorOperators.MAX, current, considered);
      }
      for (int i = whole; i < length; i++) {
        if ((words[i >>> 6] >>> (i & 63) & 1) != 0) {
          range.add(values[i], values[i]);
        }
      }
    }
    byte minimum = least.reduceLanes(VectorOperators.MIN);
    byte maximum = greatest.reduceLanes(VectorOperators.MAX);
    if (minimum <= maximum) {
      range.add(minimum, maximum);
    }
  }

  @Override
  public void extend(short[] values, int length, long @Nullable [] words, LongRange range) {
    int step = SHORTS.length();
    if (length < 2 * step) {
      scalar.extend(values, length, words, range);
      return;
    }
    ShortVector least = ShortVector.broadcast(SHORTS, Short.MAX_VALUE);
    ShortVector greatest = ShortVector.broadcast(SHORTS, Short.MIN_VALUE);
    int whole = SHORTS.loopBound(length);
    if (words == null) {
      ShortVector otherLeast = least;
      ShortVector otherGreatest = greatest;
      int i = 0;
      for (; i <= whole - 2 * step; i += 2 * step) {
        ShortVector first = ShortVector.fromArray(SHORTS, values, i);
        ShortVector second = ShortVector.fromArray(SHORTS, values, i + step);
        least = least.min(first);
        greatest = greatest.max(first);
        otherLeast = otherLeast.min(second);
        otherGreatest = otherGreatest.max(second);
      }
      // The last vectors overlap: a value that counts twice changes nothing.
      ShortVector last = ShortVector.fromArray(SHORTS, values, length - step);
      ShortVector beforeLast = ShortVector.fromArray(SHORTS, values, length - 2 * step);
      least = least.min(otherLeast).min(last).min(beforeLast);
      greatest = greatest.max(otherGreatest).max(last).max(beforeLast);
    } else {
      for (int i = 0; i < whole; i += step) {
        VectorMask<Short> considered = VectorMask.fromLong(SHORTS, words[i >>> 6] >>> (i & 63));
        ShortVector current = ShortVector.fromArray(SHORTS, values, i);
        least = least.lanewise(VectorOperators.MIN, current, considered);
        greatest = greatest.lanewise(VectorOperators.MAX, current, considered);
      }
      for (int i = whole; i < length; i++) {
        if ((words[i >>> 6] >>> (i & 63) & 1) != 0) {
          range.add(values[i], values[i]);
        }
      }
    }
    short minimum = least.reduceLanes(VectorOperators.MIN);
    short maximum = greatest.reduceLanes(VectorOperators.MAX);
    if (minimum <= maximum) {
      range.add(minimum, maximum);
    }
  }

  @Override
  public void extend(int[] values, int length, long @Nullable [] words, LongRange range) {
    int step = INTS.length();
    if (length < 2 * step) {
      scalar.extend(values, length, words, range);
      return;
    }
    IntVector least = IntVector.broadcast(INTS, Integer.MAX_VALUE);
    IntVector greatest = IntVector.broadcast(INTS, Integer.MIN_VALUE);
    int whole = INTS.loopBound(length);
    if (words == null) {
      IntVector otherLeast = least;
      IntVector otherGreatest = greatest;
      int i = 0;
      for (; i <= whole - 2 * step; i += 2 * step) {
        IntVector first = IntVector.fromArray(INTS, values, i);
        IntVector second = IntVector.fromArray(INTS, values, i + step);
        least = least.min(first);
        greatest = greatest.max(first);
        otherLeast = otherLeast.min(second);
        otherGreatest = otherGreatest.max(second);
      }
      // The last vectors overlap: a value that counts twice changes nothing.
      IntVector last = IntVector.fromArray(INTS, values, length - step);
      IntVector beforeLast = IntVector.fromArray(INTS, values, length - 2 * step);
      least = least.min(otherLeast).min(last).min(beforeLast);
      greatest = greatest.max(otherGreatest).max(last).max(beforeLast);
    } else {
      for (int i = 0; i < whole; i += step) {
        VectorMask<Integer> considered = VectorMask.fromLong(INTS, words[i >>> 6] >>> (i & 63));
        IntVector current = IntVector.fromArray(INTS, values, i);
        least = least.lanewise(VectorOperators.MIN, current, considered);
        greatest = greatest.lanewise(VectorOperators.MAX, current, considered);
      }
      for (int i = whole; i < length; i++) {
        if ((words[i >>> 6] >>> (i & 63) & 1) != 0) {
          range.add(values[i], values[i]);
        }
      }
    }
    int minimum = least.reduceLanes(VectorOperators.MIN);
    int maximum = greatest.reduceLanes(VectorOperators.MAX);
    if (minimum <= maximum) {
      range.add(minimum, maximum);
    }
  }

  @Override
  public void extend(long[] values, int length, long @Nullable [] words, LongRange range) {
    int step = LONGS.length();
    if (length < 2 * step) {
      scalar.extend(values, length, words, range);
      return;
    }
    LongVector least = LongVector.broadcast(LONGS, Long.MAX_VALUE);
    LongVector greatest = LongVector.broadcast(LONGS, Long.MIN_VALUE);
    int whole = LONGS.loopBound(length);
    if (words == null) {
      LongVector otherLeast = least;
      LongVector otherGreatest = greatest;
      int i = 0;
      for (; i <= whole - 2 * step; i += 2 * step) {
        LongVector first = LongVector.fromArray(LONGS, values, i);
        LongVector second = LongVector.fromArray(LONGS, values, i + step);
        least = least.min(first);
        greatest = greatest.max(first);
        otherLeast = otherLeast.min(second);
        otherGreatest = otherGreatest.max(second);
      }
      // The last vectors overlap: a value that counts twice changes nothing.
      LongVector last = LongVector.fromArray(LONGS, values, length - step);
      LongVector beforeLast = LongVector.fromArray(LONGS, values, length - 2 * step);
      least = least.min(otherLeast).min(last).min(beforeLast);
      greatest = greatest.max(otherGreatest).max(last).max(beforeLast);
    } else {
      for (int i = 0; i < whole; i += step) {
        VectorMask<Long> considered = VectorMask.fromLong(LONGS, words[i >>> 6] >>> (i & 63));
        LongVector current = LongVector.fromArray(LONGS, values, i);
        least = least.lanewise(VectorOperators.MIN, current, considered);
        greatest = greatest.lanewise(VectorOperators.MAX, current, considered);
      }
      for (int i = whole; i < length; i++) {
        if ((words[i >>> 6] >>> (i & 63) & 1) != 0) {
          range.add(values[i], values[i]);
        }
      }
    }
    long minimum = least.reduceLanes(VectorOperators.MIN);
    long maximum = greatest.reduceLanes(VectorOperators.MAX);
    if (minimum <= maximum) {
      range.add(minimum, maximum);
    }
  }

  @Override
  public void replaceOutside(
      short[] values, int length, short least, short greatest, short replacement) {
    int whole = SHORTS.loopBound(length);
    for (int i = 0; i < whole; i += SHORTS.length()) {
      ShortVector current = ShortVector.fromArray(SHORTS, values, i);
      VectorMask<Short> outside =
          current.lt(least).or(current.compare(VectorOperators.GT, greatest));
      current.blend(replacement, outside).intoArray(values, i);
    }
    for (int i = whole; i < length; i++) {
      values[i] = values[i] < least || values[i] > greatest ? replacement : values[i];
    }
  }

  @Override
  public void replaceOutside(int[] values, int length, int least, int greatest, int replacement) {
    int whole = INTS.loopBound(length);
    for (int i = 0; i < whole; i += INTS.length()) {
      IntVector current = IntVector.fromArray(INTS, values, i);
      VectorMask<Integer> outside =
          current.lt(least).or(current.compare(VectorOperators.GT, greatest));
      current.blend(replacement, outside).intoArray(values, i);
    }
    for (int i = whole; i < length; i++) {
      values[i] = values[i] < least || values[i] > greatest ? replacement : values[i];
    }
  }

  @Override
  public void replaceOutside(
      long[] values, int length, long least, long greatest, long replacement) {
    int whole = LONGS.loopBound(length);
    for (int i = 0; i < whole; i += LONGS.length()) {
      LongVector current = LongVector.fromArray(LONGS, values, i);
      VectorMask<Long> outside =
          current.lt(least).or(current.compare(VectorOperators.GT, greatest));
      current.blend(replacement, outside).intoArray(values, i);
    }
    for (int i = whole; i < length; i++) {
      values[i] = values[i] < least || values[i] > greatest ? replacement : values[i];
    }
  }

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
