package dev.quiver.arrow.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Memory that grows to the requested size while the budget lasts, is charged while in use, and is
/// lent again afterwards.
class ReusedMemoryTest {

  private static final long MEBIBYTE = 1 << 20;

  private final NativeBudget budget = new NativeBudget(40 * MEBIBYTE);
  private final NativePool pool = new NativePool(budget, 10 * MEBIBYTE);
  private final InFlightBytes inFlight = new InFlightBytes(60 * MEBIBYTE);
  private long fallbackByteSize;

  private ReusedMemory open(InFlightBytes.Charge charge) {
    return new ReusedMemory(
        charge,
        (byteSize, alignment) -> {
          fallbackByteSize += byteSize;
          return Arena.ofAuto().allocate(byteSize, alignment);
        },
        pool);
  }

  @Test
  void memoryGrowsToTheRequestedSizeAndKeepsIt() {
    try (InFlightBytes.Charge charge = inFlight.open();
        ReusedMemory memory = open(charge)) {
      assertThat(inFlight.taken()).isZero();
      assertThat(memory.of(0).byteSize()).isEqualTo(MEBIBYTE);
      assertThat(memory.of(MEBIBYTE).byteSize()).isEqualTo(MEBIBYTE);
      assertThat(memory.of(MEBIBYTE + 1).byteSize()).isEqualTo(2 * MEBIBYTE);
      assertThat(memory.of(5 * MEBIBYTE).byteSize()).isEqualTo(8 * MEBIBYTE);
      assertThat(memory.of(3).byteSize()).isEqualTo(8 * MEBIBYTE);
      assertThat(inFlight.taken()).isEqualTo(8 * MEBIBYTE);
      assertThat(memory.of(Long.MAX_VALUE).byteSize()).isEqualTo(16 * MEBIBYTE);
      assertThat(inFlight.taken()).isEqualTo(16 * MEBIBYTE);
    }
    assertThat(inFlight.taken()).isZero();
    assertThat(fallbackByteSize).isZero();
  }

  @Test
  void lendsReturnedMemoryAgain() {
    MemorySegment first;
    try (InFlightBytes.Charge charge = inFlight.open();
        ReusedMemory memory = open(charge)) {
      first = memory.of(8 * MEBIBYTE);
    }
    try (InFlightBytes.Charge charge = inFlight.open();
        ReusedMemory memory = open(charge);
        ReusedMemory other = open(charge)) {
      assertThat(memory.of(8 * MEBIBYTE)).isEqualTo(first);
      assertThat(other.of(8 * MEBIBYTE)).isNotEqualTo(first);
    }
    // The second of the two slabs that were given back exceeded the maximum of idle memory.
    assertThat(budget.remaining()).isEqualTo(32 * MEBIBYTE);
  }

  @Test
  void freesIdleMemoryForOtherSizes() {
    try (InFlightBytes.Charge charge = inFlight.open();
        ReusedMemory memory = open(charge)) {
      memory.of(8 * MEBIBYTE);
    }
    try (InFlightBytes.Charge charge = new InFlightBytes(1 << 30).open();
        ReusedMemory memory = open(charge);
        ReusedMemory other = open(charge);
        ReusedMemory last = open(charge)) {
      assertThat(memory.of(16 * MEBIBYTE).byteSize()).isEqualTo(16 * MEBIBYTE);
      assertThat(other.of(16 * MEBIBYTE).byteSize()).isEqualTo(16 * MEBIBYTE);
      assertThat(budget.remaining()).isZero();
      assertThat(last.of(4 * MEBIBYTE).byteSize()).isEqualTo(4 * MEBIBYTE);
      assertThat(budget.remaining()).isEqualTo(4 * MEBIBYTE);
    }
  }

  /// Any number of requests holds at most the budget, and half of the bytes in flight. The other
  /// requests use the minimum.
  @Test
  void limitsTheTotalOfAllRequests() {
    List<ReusedMemory> memories = new ArrayList<>();
    try (InFlightBytes.Charge charge = inFlight.open()) {
      for (int i = 0; i < 200; i++) {
        memories.add(open(charge));
        assertThat(memories.getLast().of(16 * MEBIBYTE).byteSize())
            .isGreaterThanOrEqualTo(MEBIBYTE);
      }
      assertThat(inFlight.taken()).isEqualTo(30 * MEBIBYTE);
      assertThat(budget.remaining()).isEqualTo(10 * MEBIBYTE);
      assertThat(fallbackByteSize).isEqualTo(196 * MEBIBYTE);
      memories.forEach(ReusedMemory::close);
    }
    assertThat(budget.remaining()).isGreaterThanOrEqualTo(30 * MEBIBYTE);
  }

  @Test
  void usesTheFallbackWithoutABudget() {
    budget.tryTake(budget.remaining());
    try (InFlightBytes.Charge charge = inFlight.open();
        ReusedMemory memory = open(charge)) {
      assertThat(memory.of(5 * MEBIBYTE).byteSize()).isEqualTo(MEBIBYTE);
      assertThat(memory.of(5 * MEBIBYTE).byteSize()).isEqualTo(MEBIBYTE);
      assertThat(fallbackByteSize).isEqualTo(MEBIBYTE);
      assertThat(inFlight.taken()).isZero();
      budget.giveBack(8 * MEBIBYTE);
      assertThat(memory.of(5 * MEBIBYTE).byteSize()).isEqualTo(8 * MEBIBYTE);
    }
  }
}
