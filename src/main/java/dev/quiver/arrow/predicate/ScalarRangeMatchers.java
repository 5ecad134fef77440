package dev.quiver.arrow.predicate;

/// Tests for every JVM.
final class ScalarRangeMatchers implements RangeMatchers {

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
