package dev.quiver.arrow.validate.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Kernels for every JVM, which process eight bytes at a time where that helps.
final class ScalarKernels implements Kernels {

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int UNROLLED_BYTE_SIZE = 4 * Long.BYTES;

  @Override
  public boolean isAscii(byte[] text, int start, int end) {
    int position = start;
    for (; position <= end - UNROLLED_BYTE_SIZE; position += UNROLLED_BYTE_SIZE) {
      if ((unrolled(text, position) & Utf8Search.NON_ASCII_BITS) != 0) {
        return false;
      }
    }
    for (; position <= end - Long.BYTES; position += Long.BYTES) {
      if ((word(text, position) & Utf8Search.NON_ASCII_BITS) != 0) {
        return false;
      }
    }
    for (; position < end; position++) {
      if (text[position] < 0) {
        return false;
      }
    }
    return true;
  }

  /// Runs two automata, one for each half, so that their steps do not wait for each other.
  @Override
  public boolean isUtf8(byte[] text, int start, int end) {
    int middle = start + end >>> 1;
    while (middle < end && Utf8Search.isContinuation(text[middle])) {
      middle++;
    }
    long first = Utf8Automaton.START;
    long second = Utf8Automaton.START;
    int left = start;
    int right = middle;
    for (;
        left <= middle - UNROLLED_BYTE_SIZE && right <= end - UNROLLED_BYTE_SIZE;
        left += UNROLLED_BYTE_SIZE, right += UNROLLED_BYTE_SIZE) {
      long bytes = unrolled(text, left) | unrolled(text, right);
      if ((bytes & Utf8Search.NON_ASCII_BITS) != 0) {
        for (int i = 0; i < UNROLLED_BYTE_SIZE; i += Long.BYTES) {
          long leftWord = word(text, left + i);
          long rightWord = word(text, right + i);
          first = Utf8Automaton.steps(first, leftWord);
          second = Utf8Automaton.steps(second, rightWord);
        }
      } else if (!Utf8Automaton.isBetweenCharacters(first | second)) {
        return false;
      }
    }
    for (; left < middle; left++) {
      first = Utf8Automaton.step(first, text[left]);
    }
    for (; right < end; right++) {
      second = Utf8Automaton.step(second, text[right]);
    }
    return Utf8Automaton.isBetweenCharacters(first | second);
  }

  @Override
  public boolean ascend(int[] values, int start, int end) {
    for (int i = start; i < end; i++) {
      if (values[i] < values[i - 1]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean ascend(long[] values, int start, int end) {
    for (int i = start; i < end; i++) {
      if (values[i] < values[i - 1]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean areBelow(byte[] values, int start, int end, byte limit) {
    int unsignedLimit = limit & 0xFF;
    for (int i = start; i < end; i++) {
      if ((values[i] & 0xFF) >= unsignedLimit) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean areBelow(short[] values, int start, int end, short limit) {
    int unsignedLimit = limit & 0xFFFF;
    for (int i = start; i < end; i++) {
      if ((values[i] & 0xFFFF) >= unsignedLimit) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean areBelow(int[] values, int start, int end, int limit) {
    for (int i = start; i < end; i++) {
      if (Integer.compareUnsigned(values[i], limit) >= 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean areBelow(long[] values, int start, int end, long limit) {
    for (int i = start; i < end; i++) {
      if (Long.compareUnsigned(values[i], limit) >= 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String description() {
    return "scalar code, since jdk.incubator.vector is missing";
  }

  private static long unrolled(byte[] text, int position) {
    return word(text, position)
        | word(text, position + 8)
        | word(text, position + 16)
        | word(text, position + 24);
  }

  private static long word(byte[] text, int position) {
    return (long) WORDS.get(text, position);
  }
}
