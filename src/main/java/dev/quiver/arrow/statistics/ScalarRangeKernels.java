package dev.quiver.arrow.statistics;

import org.jspecify.annotations.Nullable;

/// Kernels for every JVM.
final class ScalarRangeKernels implements RangeKernels {

  @Override
  public void extend(byte[] values, int length, long @Nullable [] words, LongRange range) {
    byte least = Byte.MAX_VALUE;
    byte greatest = Byte.MIN_VALUE;
    if (words == null) {
      for (int i = 0; i < length; i++) {
        least = values[i] < least ? values[i] : least;
        greatest = values[i] > greatest ? values[i] : greatest;
      }
    } else {
      for (int start = 0; start < length; start += Long.SIZE) {
        for (long rest = words[start >>> 6]; rest != 0; rest &= rest - 1) {
          byte value = values[start + Long.numberOfTrailingZeros(rest)];
          least = value < least ? value : least;
          greatest = value > greatest ? value : greatest;
        }
      }
    }
    if (least <= greatest) {
      range.add(least, greatest);
    }
  }

  @Override
  public void extend(short[] values, int length, long @Nullable [] words, LongRange range) {
    short least = Short.MAX_VALUE;
    short greatest = Short.MIN_VALUE;
    if (words == null) {
      for (int i = 0; i < length; i++) {
        least = values[i] < least ? values[i] : least;
        greatest = values[i] > greatest ? values[i] : greatest;
      }
    } else {
      for (int start = 0; start < length; start += Long.SIZE) {
        for (long rest = words[start >>> 6]; rest != 0; rest &= rest - 1) {
          short value = values[start + Long.numberOfTrailingZeros(rest)];
          least = value < least ? value : least;
          greatest = value > greatest ? value : greatest;
        }
      }
    }
    if (least <= greatest) {
      range.add(least, greatest);
    }
  }

  @Override
  public void extend(int[] values, int length, long @Nullable [] words, LongRange range) {
    int least = Integer.MAX_VALUE;
    int greatest = Integer.MIN_VALUE;
    if (words == null) {
      for (int i = 0; i < length; i++) {
        least = Math.min(least, values[i]);
        greatest = Math.max(greatest, values[i]);
      }
    } else {
      for (int start = 0; start < length; start += Long.SIZE) {
        for (long rest = words[start >>> 6]; rest != 0; rest &= rest - 1) {
          int value = values[start + Long.numberOfTrailingZeros(rest)];
          least = Math.min(least, value);
          greatest = Math.max(greatest, value);
        }
      }
    }
    if (least <= greatest) {
      range.add(least, greatest);
    }
  }

  @Override
  public void extend(long[] values, int length, long @Nullable [] words, LongRange range) {
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    if (words == null) {
      for (int i = 0; i < length; i++) {
        least = Math.min(least, values[i]);
        greatest = Math.max(greatest, values[i]);
      }
    } else {
      for (int start = 0; start < length; start += Long.SIZE) {
        for (long rest = words[start >>> 6]; rest != 0; rest &= rest - 1) {
          long value = values[start + Long.numberOfTrailingZeros(rest)];
          least = Math.min(least, value);
          greatest = Math.max(greatest, value);
        }
      }
    }
    if (least <= greatest) {
      range.add(least, greatest);
    }
  }

  @Override
  public void replaceOutside(
      short[] values, int length, short least, short greatest, short replacement) {
    for (int i = 0; i < length; i++) {
      values[i] = values[i] < least || values[i] > greatest ? replacement : values[i];
    }
  }

  @Override
  public void replaceOutside(int[] values, int length, int least, int greatest, int replacement) {
    for (int i = 0; i < length; i++) {
      values[i] = values[i] < least || values[i] > greatest ? replacement : values[i];
    }
  }

  @Override
  public void replaceOutside(
      long[] values, int length, long least, long greatest, long replacement) {
    for (int i = 0; i < length; i++) {
      values[i] = values[i] < least || values[i] > greatest ? replacement : values[i];
    }
  }

  @Override
  public void test(byte[] values, int length, byte low, byte span, long[] matched) {
    for (int start = 0; start < length; start += Long.SIZE) {
      long word = 0;
      for (int i = start; i < start + Long.SIZE; i++) {
        word |= ((values[i] - low & 0xFF) <= (span & 0xFF) ? 1L : 0L) << i;
      }
      matched[start >>> 6] |= word;
    }
  }

  @Override
  public void test(short[] values, int length, short low, short span, long[] matched) {
    for (int start = 0; start < length; start += Long.SIZE) {
      long word = 0;
      for (int i = start; i < start + Long.SIZE; i++) {
        word |= ((values[i] - low & 0xFFFF) <= (span & 0xFFFF) ? 1L : 0L) << i;
      }
      matched[start >>> 6] |= word;
    }
  }

  @Override
  public void test(int[] values, int length, int low, int span, long[] matched) {
    int limit = span ^ Integer.MIN_VALUE;
    for (int start = 0; start < length; start += Long.SIZE) {
      long word = 0;
      for (int i = start; i < start + Long.SIZE; i++) {
        word |= ((values[i] - low ^ Integer.MIN_VALUE) <= limit ? 1L : 0L) << i;
      }
      matched[start >>> 6] |= word;
    }
  }

  @Override
  public void test(long[] values, int length, long low, long span, long[] matched) {
    long limit = span ^ Long.MIN_VALUE;
    for (int start = 0; start < length; start += Long.SIZE) {
      long word = 0;
      for (int i = start; i < start + Long.SIZE; i++) {
        word |= ((values[i] - low ^ Long.MIN_VALUE) <= limit ? 1L : 0L) << i;
      }
      matched[start >>> 6] |= word;
    }
  }
}
