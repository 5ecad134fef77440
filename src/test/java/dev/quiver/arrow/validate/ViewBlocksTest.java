package dev.quiver.arrow.validate;

import static dev.quiver.arrow.validate.RawArray.NONE;
import static dev.quiver.arrow.validate.RawArray.array;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.validate.kernel.AvailableKernels;
import dev.quiver.arrow.validate.kernel.Kernels;
import dev.quiver.arrow.validate.kernel.Utf8Search;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that one broken view among thousands is the only finding, for references in any order.
@Tag("random")
class ViewBlocksTest {

  private static final int LENGTH = 3_000;
  private static final int VIEW_BYTE_SIZE = 16;
  private static final int INLINE_BYTE_SIZE_MAX = 12;

  private final MemorySegment views = MemorySegment.ofArray(new byte[LENGTH * VIEW_BYTE_SIZE]);
  private final int[] offsets = new int[LENGTH];
  private final int[] sizes = new int[LENGTH];
  private MemorySegment data = NONE;

  static Stream<Kernels> kernels() {
    return AvailableKernels.kernels();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void findsOneBrokenView(Kernels kernels) {
    int broken = 0;
    for (int seed : Trials.seeds(300)) {
      Random random = new Random(seed);
      fill(random, seed % 3);
      assertThat(findings(kernels)).isEmpty();
      int index = random.nextInt(LENGTH);
      Rule rule = breakView(random.nextInt(4), index);
      if (rule != null) {
        broken++;
        assertThat(findings(kernels))
            .as("seed %d", seed)
            .singleElement()
            .satisfies(finding -> {
              assertThat(finding.rule()).isEqualTo(rule);
              assertThat(finding.index()).isEqualTo(index);
            });
      }
    }
    assertThat(broken).isGreaterThan(Trials.of(100));
  }

  /// Following them together would copy a whole buffer only for a few views.
  @ParameterizedTest
  @MethodSource("kernels")
  void followsShortReferencesIntoLongOnesSeparately(Kernels kernels) {
    data = MemorySegment.ofArray("aé".repeat(20_000).getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < LENGTH; i++) {
      offsets[i] = i % 2 * 3;
      sizes[i] = i % 2 == 0 ? (int) data.byteSize() : 15;
      write(i);
    }
    assertThat(findings(kernels)).isEmpty();
    sizes[7] = 14;
    write(7);
    assertThat(findings(kernels))
        .singleElement()
        .satisfies(finding -> assertThat(finding.index()).isEqualTo(7));
  }

  private List<Finding> findings(Kernels kernels) {
    RawArray given = array(new ArrowType.Utf8View(), LENGTH, NONE, views, data);
    return Validator.validateDictionary(given.data(), Level.VALUES, "f", kernels);
  }

  /// @param order the order of the references: 0 for ascending, 1 for repeated, 2 for any
  private void fill(Random random, int order) {
    String[] characters = {"a", "ä", "€", "😀"};
    int kinds = 1 + random.nextInt(characters.length);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < LENGTH; i++) {
      boolean repeated = i > 0 && order == 1 && random.nextInt(3) != 0;
      int same = repeated ? random.nextInt(i) : i;
      if (!repeated) {
        offsets[i] = bytes.size();
        int count = random.nextInt(500) == 0 ? 5_000 : random.nextInt(20);
        for (int character = 0; character < count; character++) {
          bytes.writeBytes(characters[random.nextInt(kinds)].getBytes(StandardCharsets.UTF_8));
        }
        sizes[i] = bytes.size() - offsets[i];
      }
      offsets[i] = offsets[same];
      sizes[i] = sizes[same];
    }
    for (int i = 0; order == 2 && i < LENGTH; i++) {
      int other = random.nextInt(LENGTH);
      int offset = offsets[i];
      int size = sizes[i];
      offsets[i] = offsets[other];
      sizes[i] = sizes[other];
      offsets[other] = offset;
      sizes[other] = size;
    }
    data = MemorySegment.ofArray(bytes.toByteArray());
    for (int i = 0; i < LENGTH; i++) {
      write(i);
    }
  }

  private void write(int index) {
    long view = (long) index * VIEW_BYTE_SIZE;
    views.asSlice(view, VIEW_BYTE_SIZE).fill((byte) 0);
    LittleEndian.setInt32(views, view, sizes[index]);
    if (sizes[index] <= INLINE_BYTE_SIZE_MAX) {
      MemorySegment.copy(data, offsets[index], views, view + 4, sizes[index]);
    } else {
      MemorySegment.copy(data, offsets[index], views, view + 4, 4);
      LittleEndian.setInt32(views, view + 12, offsets[index]);
    }
  }

  /// @return the broken rule, or null if the view could not be broken this way
  private @Nullable Rule breakView(int kind, int index) {
    long view = (long) index * VIEW_BYTE_SIZE;
    boolean inline = sizes[index] <= INLINE_BYTE_SIZE_MAX;
    if (kind == 0) {
      // The last byte of an inline view is padding; the fourth of other views belongs to the
      // prefix.
      long position = inline ? view + VIEW_BYTE_SIZE - 1 : view + 7;
      if (sizes[index] == INLINE_BYTE_SIZE_MAX) {
        return null;
      }
      LittleEndian.setInt8(views, position, (byte) (LittleEndian.getInt8(views, position) ^ 1));
      return inline ? Rule.VIEW_PADDING : Rule.VIEW_PREFIX;
    }
    if (kind == 1) {
      if (inline) {
        return null;
      }
      LittleEndian.setInt32(views, view + 12, (int) data.byteSize() - sizes[index] + 1);
      return Rule.VIEW_RANGE;
    }
    if (sizes[index] == 0 || inline != sizes[index] - 1 <= INLINE_BYTE_SIZE_MAX) {
      return null;
    }
    if (kind == 2) {
      boolean inside = isContinuation(offsets[index] + 1);
      offsets[index]++;
      sizes[index]--;
      write(index);
      return inside ? Rule.UTF8 : null;
    }
    boolean inside = isContinuation(offsets[index] + sizes[index] - 1);
    sizes[index]--;
    write(index);
    return inside ? Rule.UTF8 : null;
  }

  private boolean isContinuation(int position) {
    return Utf8Search.isContinuation(data, position);
  }
}
