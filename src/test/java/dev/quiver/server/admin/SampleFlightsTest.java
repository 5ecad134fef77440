package dev.quiver.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.RecordBatch;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The flights of the sample, which a text file lists. The client suite reads them with pyarrow
/// from a running service, in `src/test/clients/test_documents.py`.
class SampleFlightsTest {

  private static final Instant FIRST_CREWED_FLIGHT = Instant.parse("1961-05-05T14:34:00Z");

  private final List<RecordBatch> batches;

  SampleFlightsTest() throws IOException {
    batches = SampleFlights.batches(Arena.ofAuto());
  }

  @Test
  void sampleHasThirtyOneFlightsInThreeBatches() {
    assertThat(batches).extracting(RecordBatch::length).containsExactly(6L, 10L, 15L);
  }

  @Test
  void sampleHasTheSixFlightsThatLandedOnTheMoon() {
    Array landing = column(batches.getLast(), "landing");
    List<String> missions = new ArrayList<>();
    for (long row = 0; row < landing.length(); row++) {
      if (!landing.isNull(row)) {
        missions.add(((Array.Bytes) column(batches.getLast(), "mission")).text(row));
      }
    }
    assertThat(missions)
        .containsExactly(
            "Apollo 11", "Apollo 12", "Apollo 14", "Apollo 15", "Apollo 16", "Apollo 17");
  }

  /// A typing error in the text file would fail here.
  @Test
  void flightsAreInOrderAndOfPlausibleLength() {
    List<Long> launches = batches.stream().flatMap(batch -> integers(batch, "launched")).toList();
    assertThat(launches)
        .isSorted()
        .doesNotHaveDuplicates()
        .startsWith(FIRST_CREWED_FLIGHT.getEpochSecond());
    assertThat(batches.stream().flatMap(batch -> integers(batch, "minutes")))
        .allSatisfy(minutes ->
            assertThat(minutes).isBetween(15L, Duration.ofHours(2017).plusMinutes(16).toMinutes()));
  }

  private static Stream<Long> integers(RecordBatch batch, String name) {
    Array.FixedWidth column = (Array.FixedWidth) column(batch, name);
    return LongStream.range(0, column.length()).mapToObj(column::integer);
  }

  private static Array column(RecordBatch batch, String name) {
    for (int i = 0; i < SampleFlights.SCHEMA.fields().size(); i++) {
      if (SampleFlights.SCHEMA.fields().get(i).name().equals(name)) {
        return Array.of(batch.columns().get(i));
      }
    }
    throw new AssertionError(name);
  }
}
