package dev.quiver.store.read;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyCodecs;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.transform.UsedDictionaries;
import dev.quiver.store.file.SnapshotBytes;
import dev.quiver.store.version.InvalidVersionException;
import java.io.IOException;
import java.lang.foreign.SegmentAllocator;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The dictionaries of a selection, reduced to the values that its rows use.
///
/// The first use reads the selected rows of the columns that have dictionaries, batch by batch,
/// unless it is known which values they use. The dictionaries stay in memory until this is closed,
/// as stored and reduced; large ones are in files. Used by one thread.
final class ReducedDictionaries implements AutoCloseable {

  private final SelectedMessages messages;
  private final Path scratchFolder;
  private final ScratchMemory memory;
  private final Map<Integer, EncodedBody> bodies = new HashMap<>();
  private @Nullable DecodedBatches batches;
  private @Nullable Map<Long, long[]> usedIndices;
  private @Nullable UsedDictionaries used;

  ReducedDictionaries(SelectedMessages messages, Path scratchFolder) {
    this.messages = messages;
    this.scratchFolder = scratchFolder;
    this.memory = new ScratchMemory(scratchFolder);
  }

  /// Notes which values the rows use.
  ///
  /// @param indices the [UsedDictionaries#indices] of an equal selection, or null if unknown
  void setUsedIndices(@Nullable Map<Long, long[]> indices) {
    usedIndices = indices;
  }

  /// Reads the rows, unless that was done before.
  ///
  /// @throws InvalidVersionException if their values are invalid and were not validated before
  /// @throws CancelledException if the client has left
  UsedDictionaries read() throws IOException {
    return read(new WantedWork());
  }

  /// Reads the rows, unless that was done before.
  ///
  /// @param work what follows from the rows
  /// @throws InvalidVersionException if their values are invalid and were not validated before
  /// @throws CancelledException if all clients have left
  UsedDictionaries read(WantedWork work) throws IOException {
    UsedDictionaries present = used;
    if (present == null) {
      present = reduced(work);
      used = present;
    }
    return present;
  }

  /// Returns the body of a dictionary in its stored codec, until this is closed.
  ///
  /// @param index the index among the dictionaries that the selection needs
  EncodedBody body(int index) throws IOException {
    EncodedBody present = bodies.get(index);
    if (present == null) {
      present = body(index, BodyCodecs.of(messages.dictionary(index).data()), memory);
      bodies.put(index, present);
    }
    return present;
  }

  /// Returns the body of a dictionary in a codec.
  ///
  /// @param allocator for compressed buffers
  EncodedBody body(int index, Codec codec, SegmentAllocator allocator) throws IOException {
    DictionaryBatchHeader header = messages.dictionary(index);
    ArrayData values = read().values(header.id());
    return EncodedBody.of(values.length(), List.of(values), codec, allocator);
  }

  /// Returns a selected batch with indices into the reduced dictionaries.
  ///
  /// @param allocator for rewritten indices
  RecordBatch rewritten(RecordBatch batch, SegmentAllocator allocator) throws IOException {
    return read().rewritten(batch, allocator);
  }

  @Override
  public void close() throws IOException {
    try (DecodedBatches _ = batches) {
      memory.close();
    }
  }

  private UsedDictionaries reduced(WantedWork work) throws IOException {
    SelectedMessages encoded = messages.withDictionaries();
    DecodedBatches decoded = DecodedBatches.open(encoded, scratchFolder);
    batches = decoded;
    UsedDictionaries reduced =
        new UsedDictionaries(encoded.schema(), decoded::dictionary, memory, work::beginSlots);
    try (ScratchMemory scratch = new ScratchMemory(scratchFolder)) {
      if (usedIndices == null) {
        for (int i = 0; i < decoded.count(); i++) {
          work.beginBatch(/* isDecoded= */ true);
          reduced.add(decoded.read(i), scratch);
          scratch.reset();
        }
        decoded.closeBatch();
        reduced.reduce(scratch);
      } else {
        reduced.reduceTo(usedIndices, scratch);
      }
      return reduced;
    } catch (InputException e) {
      throw SnapshotBytes.damaged(e);
    }
  }
}
