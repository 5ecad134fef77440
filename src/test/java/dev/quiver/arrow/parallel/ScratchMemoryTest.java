package dev.quiver.arrow.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Working memory that is bounded by its budget, continues in a file, and is given back.
class ScratchMemoryTest {

  @TempDir private Path folder;

  @Test
  void keepsAllocationsApartInMemoryAndInTheFile() throws IOException {
    NativeBudget budget = new NativeBudget(2 << 20);
    Random random = new Random(1);
    try (ScratchMemory memory = new ScratchMemory(folder, new NativePool(budget, 0))) {
      for (int round = 0; round < 4; round++) {
        List<MemorySegment> segments = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
          MemorySegment segment = memory.allocate(random.nextInt(400_000), 64);
          assertThat(segment.address() & 63).isZero();
          segments.add(segment.fill((byte) i));
        }
        for (int i = 0; i < segments.size(); i++) {
          MemorySegment expected =
              MemorySegment.ofArray(new byte[(int) segments.get(i).byteSize()]);
          assertThat(segments.get(i).mismatch(expected.fill((byte) i))).isEqualTo(-1);
        }
        memory.reset();
      }
    }
    assertThat(budget.remaining()).isEqualTo(2 << 20);
  }

  @Test
  void scratchMemoryStaysWithinItsBudget() throws IOException {
    NativeBudget budget = new NativeBudget(1 << 20);
    try (ScratchMemory first = new ScratchMemory(folder, new NativePool(budget, 0));
        ScratchMemory second = new ScratchMemory(folder, new NativePool(budget, 0))) {
      first.allocate(1 << 20, 8);
      assertThat(budget.remaining()).isZero();
      second.allocate(100, 8).fill((byte) 1);
      second.allocate(100_000_000, 8).fill((byte) 1);
      assertThat(budget.remaining()).isZero();
    }
    assertThat(budget.remaining()).isEqualTo(1 << 20);
  }

  @Test
  void lendsReturnedMemoryToOthers() throws IOException {
    NativePool pool = new NativePool(new NativeBudget(8 << 20), 2 << 20);
    long address;
    try (ScratchMemory memory = new ScratchMemory(folder, pool)) {
      address = memory.allocate(1 << 20, 8).fill((byte) 1).address();
    }
    try (ScratchMemory memory = new ScratchMemory(folder, pool)) {
      assertThat(memory.allocate((1 << 20) - 64, 8).address()).isEqualTo(address);
    }
  }

  @Test
  void scratchFileGrowsInProportionToItsUse() throws IOException {
    try (ScratchMemory memory = new ScratchMemory(folder, new NativePool(new NativeBudget(0), 0))) {
      memory.allocate(10, 8);
      assertThat(memory.fileByteSize()).isEqualTo(1 << 20);
      for (int i = 0; i < 100; i++) {
        memory.allocate(1 << 20, 8);
        assertThat(memory.fileByteSize()).isLessThanOrEqualTo(3 * (memory.usedByteSize() + 4096));
      }
      long before = memory.fileByteSize();
      memory.allocate(16 << 20, 8);
      assertThat(memory.fileByteSize()).isEqualTo(before + (16 << 20));
    }
  }

  @Test
  void closedScratchMemoryLeavesNoFile() throws IOException {
    try (ScratchMemory memory = new ScratchMemory(folder, new NativePool(new NativeBudget(0), 0))) {
      memory.allocate(10, 8).fill((byte) 1);
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void resetEndsTheLifeOfSeveralSlabs() throws IOException {
    try (ScratchMemory memory =
        new ScratchMemory(folder, new NativePool(new NativeBudget(8 << 20), 0))) {
      MemorySegment first = memory.allocate(1 << 20, 8);
      memory.allocate(1 << 20, 8);
      memory.reset();
      assertThatThrownBy(() -> first.fill((byte) 1)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void threadsShareMemoryInTurn() throws Exception {
    try (ScratchMemory memory = ScratchMemory.shared(folder)) {
      MemorySegment own = memory.allocate(1 << 20, 8);
      AtomicReference<MemorySegment> other = new AtomicReference<>();
      Thread thread =
          Thread.ofPlatform().start(() -> other.set(memory.allocate(1 << 20, 8).fill((byte) 7)));
      thread.join();
      assertThat(other.get().get(ValueLayout.JAVA_BYTE, 12_345)).isEqualTo((byte) 7);
      own.fill((byte) 1);
      memory.reset();
      assertThatThrownBy(() -> other.get().fill((byte) 1))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void throwsFailuresOfTheScratchFile() throws IOException {
    Path missing = folder.resolve("missing");
    try (ScratchMemory memory =
        new ScratchMemory(missing, new NativePool(new NativeBudget(0), 0))) {
      assertThatThrownBy(() -> memory.allocate(10, 8)).isInstanceOf(UncheckedIOException.class);
    }
  }

  @Test
  void rejectsLargerAlignments() throws IOException {
    try (ScratchMemory memory = new ScratchMemory(folder)) {
      assertThatThrownBy(() -> memory.allocate(10, 128))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Cannot allocate 10 bytes aligned to 128");
    }
  }
}
