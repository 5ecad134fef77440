package dev.quiver.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/// A mutator of valid streams and files. The same seed always does the same damage.
///
/// Most damage changes numbers that control allocations, positions or checks. The rest changes
/// arbitrary bytes, reorders messages, or truncates.
final class Mutator {

  private static final long[] BOUNDARY_NUMBERS = {
    0,
    1,
    -1,
    2,
    3,
    7,
    8,
    -8,
    15,
    63,
    64,
    127,
    128,
    255,
    256,
    1 << 15,
    1 << 16,
    1 << 24,
    1 << 30,
    Integer.MAX_VALUE,
    Integer.MAX_VALUE - 7,
    Integer.MIN_VALUE,
    1L << 32,
    1L << 40,
    1L << 61,
    1L << 62,
    Long.MAX_VALUE,
    Long.MAX_VALUE - 7,
    Long.MIN_VALUE
  };

  /// A valid stream or file.
  record Original(String name, byte[] bytes, Anatomy anatomy) {
    static Original of(String name, byte[] bytes) {
      return new Original(name, bytes, Anatomy.of(bytes));
    }
  }

  private final List<Original> originals;

  Mutator(List<Original> originals) {
    this.originals = originals;
  }

  /// Returns the original that the seed damages.
  Original original(long seed) {
    return any(originals, random(seed));
  }

  byte[] mutate(long seed) {
    Random random = random(seed);
    Original original = any(originals, random);
    byte[] bytes = original.bytes().clone();
    // Parts keep their positions until something moves, so mutations that move bytes come last.
    for (int count = 1 + random.nextInt(3); count > 0; count--) {
      damage(bytes, original.anatomy(), random);
    }
    return switch (random.nextInt(8)) {
      case 0 -> truncated(bytes, original.anatomy(), random);
      case 1 -> spliced(bytes, original.anatomy(), any(originals, random), random);
      case 2 -> reordered(original.bytes(), original.anatomy(), random);
      default -> bytes;
    };
  }

  private static Random random(long seed) {
    // Adjacent seeds of Random produce similar first numbers.
    return new Random(seed * 0x9E3779B97F4A7C15L);
  }

  private static void damage(byte[] bytes, Anatomy anatomy, Random random) {
    switch (random.nextInt(8)) {
      case 0 -> {
        for (int count = 1 + random.nextInt(4); count > 0; count--) {
          bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
      }
      case 1 -> {
        int width = random.nextBoolean() ? 4 : 8;
        int at = random.nextInt(bytes.length) & -width;
        put(bytes, at, width, BOUNDARY_NUMBERS[random.nextInt(BOUNDARY_NUMBERS.length)]);
      }
      case 2 -> {
        int at = random.nextInt(bytes.length);
        int end = Math.min(bytes.length, at + 1 + random.nextInt(16));
        Arrays.fill(bytes, at, end, (byte) (random.nextBoolean() ? 0 : -1));
      }
      case 3 -> {
        int byteSize = 1 + random.nextInt(Math.min(64, bytes.length));
        int from = random.nextInt(bytes.length - byteSize + 1);
        int to = random.nextInt(bytes.length - byteSize + 1);
        System.arraycopy(bytes.clone(), from, bytes, to, byteSize);
      }
      default -> damagePart(bytes, anatomy, random);
    }
  }

  /// Damages a part. All roles are equally likely, regardless of their number of parts.
  private static void damagePart(byte[] bytes, Anatomy anatomy, Random random) {
    Map<Anatomy.Role, List<Anatomy.Part>> byRole =
        anatomy.parts().stream()
            .collect(
                Collectors.groupingBy(
                    Anatomy.Part::role,
                    () -> new EnumMap<>(Anatomy.Role.class),
                    Collectors.toList()));
    List<Anatomy.Part> parts = any(List.copyOf(byRole.values()), random);
    Anatomy.Part part = any(parts, random);
    long found = get(bytes, part.byteOffset(), part.width());
    long value =
        switch (random.nextInt(6)) {
          case 0 -> found + random.nextInt(-9, 10);
          case 1 -> found << random.nextInt(1, 4);
          case 2 -> -found;
          // The value of another part with the same role.
          case 3 -> {
            Anatomy.Part other = any(parts, random);
            yield get(bytes, other.byteOffset(), other.width());
          }
          case 4 -> random.nextInt(2 * bytes.length);
          default -> BOUNDARY_NUMBERS[random.nextInt(BOUNDARY_NUMBERS.length)];
        };
    put(bytes, part.byteOffset(), part.width(), value);
  }

  private static byte[] truncated(byte[] bytes, Anatomy anatomy, Random random) {
    int byteSize =
        switch (random.nextInt(3)) {
          case 0 -> any(anatomy.boundaries(), random);
          case 1 -> any(anatomy.parts(), random).byteOffset() + random.nextInt(8);
          default -> random.nextInt(bytes.length);
        };
    return Arrays.copyOf(bytes, Math.min(byteSize, bytes.length));
  }

  private static byte[] spliced(byte[] bytes, Anatomy anatomy, Original other, Random random) {
    boolean atMessages = random.nextInt(4) > 0;
    int head = atMessages ? any(anatomy.boundaries(), random) : random.nextInt(bytes.length);
    int tail =
        atMessages
            ? any(other.anatomy().boundaries(), random)
            : random.nextInt(other.bytes().length);
    return concatenated(
        Arrays.copyOf(bytes, head), Arrays.copyOfRange(other.bytes(), tail, other.bytes().length));
  }

  /// Returns the bytes with a message removed, repeated, or swapped with its predecessor.
  private static byte[] reordered(byte[] bytes, Anatomy anatomy, Random random) {
    List<Integer> boundaries = anatomy.boundaries();
    if (boundaries.size() < 3) {
      return Arrays.copyOf(bytes, boundaries.getLast());
    }
    int index = random.nextInt(boundaries.size() - 2);
    byte[] before = Arrays.copyOf(bytes, boundaries.get(index));
    byte[] first = Arrays.copyOfRange(bytes, boundaries.get(index), boundaries.get(index + 1));
    byte[] second = Arrays.copyOfRange(bytes, boundaries.get(index + 1), boundaries.get(index + 2));
    byte[] after = Arrays.copyOfRange(bytes, boundaries.get(index + 2), bytes.length);
    return switch (random.nextInt(4)) {
      case 0 -> concatenated(before, second, after);
      case 1 -> concatenated(before, first, after);
      case 2 -> concatenated(before, first, second, second, after);
      default -> concatenated(before, second, first, after);
    };
  }

  private static byte[] concatenated(byte[]... pieces) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(pieces).mapToInt(p -> p.length).sum());
    for (byte[] piece : pieces) {
      all.put(piece);
    }
    return all.array();
  }

  private static <T> T any(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }

  private static long get(byte[] bytes, int at, int width) {
    byte[] number = Arrays.copyOf(Arrays.copyOfRange(bytes, at, at + width), Long.BYTES);
    long value = ByteBuffer.wrap(number).order(ByteOrder.LITTLE_ENDIAN).getLong();
    int unused = Long.SIZE - Byte.SIZE * width;
    return value << unused >> unused;
  }

  private static void put(byte[] bytes, int at, int width, long value) {
    for (int i = 0; i < width && at + i < bytes.length; i++) {
      bytes[at + i] = (byte) (value >>> (Byte.SIZE * i));
    }
  }
}
