package dev.quiver.server.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.server.inspect.Totals.DictionaryEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests the tracked effects of dictionary batches.
class TotalsTest {

  private static DictionaryBatchHeader dictionary(long id, boolean delta) {
    return new DictionaryBatchHeader(
        id, new RecordBatchHeader(5, List.of(), List.of(), null, List.of()), delta);
  }

  @Test
  void tracksAtMostTheDictionariesOfASchema() {
    Totals totals = new Totals(2);
    assertThat(totals.addDictionary(dictionary(1, false)))
        .isEqualTo(new DictionaryEvent("first", 5));
    assertThat(totals.addDictionary(dictionary(2, false)))
        .isEqualTo(new DictionaryEvent("first", 5));
    for (int i = 0; i < 2; i++) {
      assertThat(totals.addDictionary(dictionary(3, false)))
          .isEqualTo(new DictionaryEvent("first", 5));
    }
    assertThat(totals.addDictionary(dictionary(2, true)))
        .isEqualTo(new DictionaryEvent("delta", 10));
    assertThat(totals.addDictionary(dictionary(1, false)))
        .isEqualTo(new DictionaryEvent("replacement", 5));
    assertThat(totals.dictionaries()).isEqualTo(2);
  }
}
