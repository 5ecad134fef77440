package dev.quiver.server.http;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.http.RangeHeader.Parts;
import dev.quiver.server.http.RangeHeader.RangeSelection;
import dev.quiver.server.http.RangeHeader.Unsatisfiable;
import dev.quiver.server.http.RangeHeader.Whole;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The bytes that each form of `Range` selects from 1,000. `ReadTest` covers the responses.
class RangeHeaderTest {

  private static RangeSelection select(String header) {
    return RangeHeader.parse(header).select(1000);
  }

  private static RangeSelection parts(long... bounds) {
    List<HttpRange> ranges = new java.util.ArrayList<>();
    for (int i = 0; i < bounds.length; i += 2) {
      ranges.add(new HttpRange(bounds[i], bounds[i + 1]));
    }
    return new Parts(ranges);
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-0, 0, 0",
    "bytes=10-19, 10, 19",
    "bytes=990-1999, 990, 999",
    "bytes=999-, 999, 999",
    "bytes=0-99999999999999999999999, 0, 999",
    "bytes=-1, 999, 999",
    "bytes=-1000, 0, 999",
    "bytes=-5000, 0, 999",
    "bytes=-262144, 0, 999",
    "BYTES=5-6, 5, 6",
    "'bytes= 5-6 ,', 5, 6",
  })
  void clampsARangeToTheRepresentation(String header, long first, long last) {
    assertThat(select(header)).isEqualTo(parts(first, last));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bytes=-0",
        "bytes=1000-",
        "bytes=1000-1001",
        "bytes=1000-,2000-3000",
        "bytes=-0,-0"
      })
  void rangesOutsideTheRepresentationAreUnsatisfiable(String header) {
    assertThat(select(header)).isEqualTo(new Unsatisfiable());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rows=0-4",
        "bytes",
        "bytes=",
        "bytes=-",
        "bytes=5-1",
        "bytes=a-b",
        "bytes=0x1-2",
        "bytes=1-2-3",
        "bytes=+1-2",
        "bytes=0-1,x",
        "bytes =0-1",
        "bytes=1 - 2",
      })
  void ignoresInvalidByteRanges(String header) {
    assertThat(select(header)).isEqualTo(new Whole());
  }

  @Test
  void selectsTheWholeRepresentationWithoutARange() {
    assertThat(RangeHeader.parse(null).select(1000)).isEqualTo(new Whole());
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=0-", "bytes=0-0", "bytes=-1"})
  void noRangeOfAnEmptyRepresentationIsSatisfiable(String header) {
    assertThat(RangeHeader.parse(header).select(0)).isEqualTo(new Unsatisfiable());
  }

  @Test
  void keepsTheOrderOfRanges() {
    assertThat(select("bytes=500-509,0-9,-10")).isEqualTo(parts(500, 509, 0, 9, 990, 999));
  }

  @Test
  void omitsUnsatisfiableRangesAmongSatisfiableOnes() {
    assertThat(select("bytes=0-9,5000-")).isEqualTo(parts(0, 9));
  }

  @Test
  void joinsRangesThatOverlapOrNearlyTouch() {
    assertThat(select("bytes=0-9,5-20,60-70")).isEqualTo(parts(0, 70));
    assertThat(select("bytes=0-9,300-309,10-299")).isEqualTo(parts(0, 309));
    assertThat(select("bytes=0-9,90-99")).isEqualTo(parts(0, 99));
    assertThat(select("bytes=0-9,91-99")).isEqualTo(parts(0, 9, 91, 99));
  }

  @Test
  void selectsTheWholeRepresentationForMoreThanTwoOverlaps() {
    assertThat(select("bytes=0-9,1-9,2-9")).isEqualTo(new Whole());
  }

  @Test
  void selectsTheWholeRepresentationForMoreThan64Ranges() {
    String ranges =
        IntStream.range(0, 65).mapToObj(i -> 1000 * i + "-" + 1000 * i).collect(joining(","));
    assertThat(RangeHeader.parse("bytes=" + ranges).select(1_000_000)).isEqualTo(new Whole());
    String fewer = ranges.substring(0, ranges.lastIndexOf(','));
    assertThat(RangeHeader.parse("bytes=" + fewer).select(1_000_000))
        .isInstanceOfSatisfying(Parts.class, parts -> assertThat(parts.ranges()).hasSize(64));
  }
}
