package dev.quiver.arrow.ipc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.metadata.Block;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests that a stream is truncated within the body of a message or not at all. `BodyWriterTest`
/// checks the bytes that are sent.
class TruncationPointsTest {

  /// A schema of 100 bytes is followed by a dictionary with a body, an empty batch, and a batch
  /// with a body.
  private static final List<Block> DICTIONARIES = List.of(new Block(100, 50, 10));

  private static final List<Block> BATCHES = List.of(new Block(160, 40, 0), new Block(200, 30, 70));

  private static List<Long> atOrBefore(long... positions) {
    TruncationPoints points = TruncationPoints.within(DICTIONARIES, BATCHES, 0);
    return Arrays.stream(positions).mapToObj(points::atOrBefore).toList();
  }

  @Test
  void findsNoPositionBeforeTheFirstBody() {
    assertThat(atOrBefore(0, 99, 100, 149)).containsOnly(-1L);
  }

  @Test
  void findsEveryPositionWithinABody() {
    assertThat(atOrBefore(150, 155, 159)).containsExactly(150L, 155L, 159L);
    assertThat(atOrBefore(230, 255, 299)).containsExactly(230L, 255L, 299L);
  }

  @Test
  void findsTheLastPositionOfTheBodyBeforeMetadata() {
    assertThat(atOrBefore(160, 180, 200, 229)).containsOnly(159L);
  }

  @Test
  void findsTheLastPositionOfTheLastBodyAtTheEndOfTheStream() {
    assertThat(atOrBefore(300, 308)).containsOnly(299L);
  }

  @Test
  void findsAnEarlierPositionAfterALaterOne() {
    assertThat(atOrBefore(300, 155, 149, 240)).containsExactly(299L, 155L, -1L, 240L);
  }

  @Test
  void countsFromTheStartOfTheResponse() {
    TruncationPoints stream = TruncationPoints.within(DICTIONARIES, BATCHES, 8);
    assertThat(stream.atOrBefore(141)).isEqualTo(-1);
    assertThat(stream.atOrBefore(142)).isEqualTo(142);
    assertThat(stream.atOrBefore(152)).isEqualTo(151);
    TruncationPoints batches = TruncationPoints.within(List.of(), BATCHES, 160 - 1000);
    assertThat(batches.atOrBefore(1069)).isEqualTo(-1);
    assertThat(batches.atOrBefore(1070)).isEqualTo(1070);
    assertThat(batches.atOrBefore(1140)).isEqualTo(1139);
  }
}
