package dev.quiver.arrow.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolTest {

  private final List<Object> closed = new ArrayList<>();
  private final Pool<Object> pool = new Pool<>(2, closed::add);

  @Test
  void lendsTheObjectReturnedLastFirst() {
    pool.giveBack("first");
    pool.giveBack("second");
    assertThat(pool.poll()).isEqualTo("second");
    assertThat(pool.poll()).isEqualTo("first");
    assertThat(pool.poll()).isNull();
    assertThat(closed).isEmpty();
  }

  @Test
  void closesObjectsBeyondItsCapacity() {
    pool.giveBack("first");
    pool.giveBack("second");
    pool.giveBack("third");
    assertThat(closed).containsExactly("third");
    assertThat(pool.poll()).isEqualTo("second");
    pool.giveBack("fourth");
    assertThat(closed).containsExactly("third");
  }
}
