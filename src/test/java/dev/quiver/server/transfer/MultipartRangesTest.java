package dev.quiver.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MultipartRangesTest {

  @Test
  void boundaryIsNewEachTimeAndTooLongToOccurInContent() {
    MultipartRanges ranges = MultipartRanges.of("text/plain");
    assertThat(ranges.boundary()).matches("[0-9a-f]{40}");
    assertThat(ranges.contentType())
        .isEqualTo("multipart/byteranges; boundary=" + ranges.boundary());
    assertThat(MultipartRanges.of("text/plain").boundary()).isNotEqualTo(ranges.boundary());
  }
}
