package dev.quiver.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a [Pool] keeps and closes. That codecs may be shared by threads is in
/// [BufferCodecContract].
class PoolTest {

  private final List<Object> made = new ArrayList<>();
  private final List<Object> closed = new ArrayList<>();
  private final Pool<Object> pool = new Pool<>(2, this::make, closed::add);

  private Object make() {
    Object thing = new Object();
    made.add(thing);
    return thing;
  }

  private long used(int count) {
    return pool.use(_ -> count == 1 ? 1 : used(count - 1));
  }

  @Test
  void usesOneAgainAfterItsUse() {
    assertThat(pool.use(_ -> 5)).isEqualTo(5);
    assertThat(pool.use(thing -> thing == made.getFirst() ? 1 : 0)).isEqualTo(1);
    assertThat(made).hasSize(1);
    assertThat(closed).isEmpty();
  }

  @Test
  void neverGivesOneToTwoAtATimeAndClosesThoseBeyondItsCapacity() {
    used(5);
    assertThat(made).hasSize(5);
    assertThat(closed).hasSize(3);
    used(2);
    assertThat(made).hasSize(5).containsAll(closed);
    assertThat(closed).hasSize(3);
  }

  @Test
  void closesTheOneThatWorkFailedWith() {
    assertThatThrownBy(() ->
            pool.use(_ -> {
              throw new IllegalStateException("failed");
            }))
        .hasMessage("failed");
    assertThat(closed).isEqualTo(made).hasSize(1);
    used(1);
    assertThat(made).hasSize(2);
  }
}
