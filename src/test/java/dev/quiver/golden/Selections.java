package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.DictionaryFields;
import dev.quiver.arrow.ipc.StreamCodecs;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Selected columns and rows of a stored dataset, as file and stream, in the stored codec and in
/// every other, with whole and with reduced dictionaries. Quiver reads them, and so does Arrow Java
/// for the kinds it supports.
record Selections(Stored stored) {

  /// Asserts that selections of the stored dataset hold the values. If `arrowJava`, so must what
  /// Arrow Java reads. If trials are few, some of the selections are tested.
  void assertHold(Decoded all, boolean arrowJava, String source) throws IOException {
    List<Picked> selections = new ArrayList<>(Picked.all(all));
    if (!DictionaryFields.of(all.schema()).byId().isEmpty()) {
      // Every third one has columns, rows from both ends, and samples among them.
      for (int i = selections.size() - 1; i >= 0; i -= 3) {
        selections.add(selections.get(i).withUsedDictionaries());
      }
    }
    int stride = Math.min(Trials.stride(), selections.size());
    for (int i = Math.floorMod(source.hashCode(), stride); i < selections.size(); i += stride) {
      Picked picked = selections.get(i);
      String description = "%s of %s".formatted(picked.selection(), source);
      stored.assertRangesAgree(picked.selection(), description);
      assertHolds(
          stored.selected(picked.selection(), false), picked, arrowJava, false, description);
      assertHolds(stored.selected(picked.selection(), true), picked, arrowJava, true, description);
      for (Codec codec : Codec.values()) {
        boolean asFile = codec == Codec.LZ4;
        MemorySegment bytes = stored.selected(picked.selection(), codec, asFile);
        assertHolds(bytes, picked, arrowJava, asFile, description + " in " + codec);
        assertThat(asFile ? StreamCodecs.ofFile(bytes) : StreamCodecs.of(bytes))
            .as(description)
            .isSubsetOf(codec);
      }
    }
  }

  private static void assertHolds(
      MemorySegment bytes, Picked picked, boolean arrowJava, boolean asFile, String description)
      throws IOException {
    Decoded decoded = asFile ? Decoded.ofFile(bytes) : Decoded.ofStream(bytes);
    Decoded expected = picked.expected();
    decoded.withSortedMetadata().assertHolds(expected.withSortedMetadata(), description);
    if (arrowJava) {
      Schema schema = decoded.schema();
      assertThat(asFile ? ArrowJava.readFile(bytes, schema) : ArrowJava.readStream(bytes, schema))
          .as("Arrow Java, " + description)
          .isEqualTo(expected.batches());
    }
  }
}
