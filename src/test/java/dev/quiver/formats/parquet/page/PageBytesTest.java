package dev.quiver.formats.parquet.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class PageBytesTest {

  @Test
  void bytesReturnFromOffTheHeap() {
    HeapBudget budget = new HeapBudget(new Limit("pages", 100));
    PageBytes bytes = new PageBytes();
    bytes.reserve(100, budget);
    bytes.array()[99] = 7;
    try (Arena arena = Arena.ofConfined()) {
      bytes.park(arena, budget);
      assertThat(bytes.array()).isEmpty();
      budget.take(100);
      assertThatThrownBy(() -> bytes.unpark(budget)).isInstanceOf(TooLargeInputException.class);
      budget.take(-100);
      bytes.unpark(budget);
      assertThat(bytes.array()).hasSize(100).endsWith(7);
    }
  }

  /// Pages that grow slowly are valid, although former memory off the heap is not released.
  @Test
  void memoryOffTheHeapIsProportionalToTheLargestPage() {
    HeapBudget budget = new HeapBudget(new Limit("pages", 2_000));
    PageBytes bytes = new PageBytes();
    try (Arena arena = Arena.ofConfined()) {
      for (int byteSize = 1; byteSize <= 2_000; byteSize++) {
        bytes.reserve(byteSize, budget);
        bytes.park(arena, budget);
        bytes.unpark(budget);
        bytes.clear(budget);
      }
    }
    budget.take(2_000);
    assertThat(budget.isTight()).isTrue();
  }
}
