package dev.quiver.web.response;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.metadata.Block;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A stream is cut within the body of a message or not at all; `BodyWriterTest` has the bytes.
class TruncationPointsTest {

  /// A schema of 100 bytes, a dictionary with a body, an empty batch, a batch with a body.
  private static final List<Block> MESSAGES =
      List.of(new Block(100, 50, 10), new Block(160, 40, 0), new Block(200, 30, 70));

  private static List<Long> cuts(long... positions) {
    TruncationPoints cuts = TruncationPoints.within(MESSAGES);
    return java.util.Arrays.stream(positions).mapToObj(cuts::atOrBefore).toList();
  }

  @Test
  void beforeTheFirstBodyThereIsNoSafeCut() {
    assertThat(cuts(0, 99, 100, 149)).containsOnly(-1L);
  }

  @Test
  void everyPositionFromTheStartOfABodyToBeforeItsEndIsSafe() {
    assertThat(cuts(150, 155, 159)).containsExactly(150L, 155L, 159L);
  }

  @Test
  void atAMessagesEndAndInTheNextMetadataTheCutIsTheLastOneWithinABody() {
    assertThat(cuts(160, 180, 200, 229)).containsOnly(159L);
  }

  @Test
  void theEndOfTheStreamIsNoSafeCut() {
    assertThat(cuts(300, 308)).containsOnly(299L);
  }
}
