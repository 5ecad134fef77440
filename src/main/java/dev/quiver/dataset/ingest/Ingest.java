package dev.quiver.dataset.ingest;

import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.Schema;
import dev.quiver.dataset.file.CanonicalWriter;
import dev.quiver.dataset.file.WrittenFile;
import dev.quiver.input.InputException;
import dev.quiver.input.InputLocation;
import dev.quiver.input.MalformedInputException;
import dev.quiver.ipc.BodyFormat;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.FileReader;
import dev.quiver.ipc.Framing;
import dev.quiver.ipc.MessageReader;
import dev.quiver.ipc.SniffedBody;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.memory.LimitedSource;
import dev.quiver.memory.ReusedMemory;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.BlobUpload;
import dev.quiver.storage.Spool;
import dev.quiver.storage.StorageFullException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Turns the body of one upload into an IPC file in its canonical form.
public final class Ingest {

  /// A footer stays where it is, in the file; the records made of it take memory.
  private static final int HELD_BYTES_PER_FOOTER_BYTE = 4;

  private final BlobStore store;
  private final DatasetOptions options;
  private final UploadOptions wanted;
  private final String key;
  private final BlobUpload upload;
  private final BooleanSupplier hasEnd;
  private final @Nullable HardLinkedFile adopted;
  private final ScratchMemory memory;
  private final InFlightBytes.Charge charge;
  private final ReusedMemory bodyMemory;
  private final Warnings warnings = new Warnings();

  private Ingest(
      BlobStore store,
      DatasetOptions options,
      UploadOptions wanted,
      String key,
      BlobUpload upload,
      BooleanSupplier hasEnd,
      @Nullable HardLinkedFile adopted,
      ScratchMemory memory,
      ReusedMemory bodyMemory,
      InFlightBytes.Charge charge) {
    this.store = store;
    this.options = options;
    this.wanted = wanted;
    this.key = key;
    this.upload = upload;
    this.hasEnd = hasEnd;
    this.adopted = adopted;
    this.memory = memory;
    this.charge = charge;
    this.bodyMemory = bodyMemory;
  }

  /// Writes the canonical form of `body` to a blob that is not committed.
  ///
  /// @param key of the blob
  public static StagedUpload stage(
      BlobStore store,
      DatasetOptions options,
      UploadOptions wanted,
      String key,
      ByteSource body,
      BodyFormat declared)
      throws IOException {
    VerbatimUpload kept = VerbatimUpload.begin(store, key);
    return stage(
        store,
        options,
        wanted,
        key,
        kept,
        kept::isKept,
        /* adopted= */ null,
        ingest -> ingest.take(body, declared, kept));
  }

  /// Writes the canonical form of a file to a blob that is not committed, unless it is the file.
  ///
  /// The batches of a stream, which is never such a file, are given sizes that suit readers.
  ///
  /// @param key of the blob
  /// @param mayLink whether the blob may be the file
  public static StagedUpload stage(
      BlobStore store, DatasetOptions options, String key, HardLinkedFile file, boolean mayLink)
      throws IOException {
    boolean isFile = Framing.isMagic(file.contents(), 0);
    return stage(
        store,
        options,
        isFile ? UploadOptions.KEEP : UploadOptions.DEFAULT,
        key,
        file,
        file::isAdopted,
        file,
        ingest -> {
          options
              .requestBytes()
              .check(file.contents().byteSize(), "bytes in a request", InputLocation.UNKNOWN);
          if (!isFile || !mayLink) {
            file.copyAll();
          }
          return isFile
              ? ingest.takeFile(file.contents())
              : ingest.takeStream(
                  sniffed(options, ByteSource.of(file.contents()), BodyFormat.UNKNOWN).source());
        });
  }

  private static StagedUpload stage(
      BlobStore store,
      DatasetOptions options,
      UploadOptions wanted,
      String key,
      BlobUpload upload,
      BooleanSupplier hasEnd,
      @Nullable HardLinkedFile adopted,
      Intake intake)
      throws IOException {
    StagedUpload staged = null;
    try (ScratchMemory memory = new ScratchMemory(store.scratchFolder());
        InFlightBytes.Charge charge = options.inFlight().open();
        ReusedMemory bodyMemory = new ReusedMemory(charge, memory)) {
      staged =
          intake.from(
              new Ingest(
                  store,
                  options,
                  wanted,
                  key,
                  upload,
                  hasEnd,
                  adopted,
                  memory,
                  bodyMemory,
                  charge));
      return staged;
    } catch (UncheckedIOException e) {
      // Working memory went to the disk, and there was none left.
      throw StorageFullException.recognised(Objects.requireNonNull(e.getCause()));
    } finally {
      if (staged == null || staged.upload() != upload) {
        upload.close();
      }
    }
  }

  private StagedUpload take(ByteSource body, BodyFormat declared, VerbatimUpload kept)
      throws IOException {
    SniffedBody sniffed = sniffed(options, body, declared);
    if (sniffed.format() != BodyFormat.FILE) {
      return takeStream(sniffed.source());
    }
    // A file is read by its footer, which comes last.
    MemorySegment chunk = bodyMemory.of(0);
    if (!store.isRemote()) {
      return takeFile(kept.receive(sniffed.source(), chunk));
    }
    try (Arena arena = Arena.ofConfined()) {
      return takeFile(spool(sniffed.source(), chunk, arena));
    }
  }

  private static SniffedBody sniffed(DatasetOptions options, ByteSource body, BodyFormat declared)
      throws IOException {
    return SniffedBody.of(
        new LimitedSource(body, options.requestBytes()), declared, options.limits());
  }

  /// Takes in a stream as it arrives.
  private StagedUpload takeStream(ByteSource source) throws IOException {
    MessageReader messages = new MessageReader(source, options.limits(), charge);
    EncapsulatedMessage first = messages.readSchema();
    Schema schema = MessageReader.schemaOf(first);
    CanonicalWriter writer = new CanonicalWriter(key, upload);
    try (MessageIngester intake = intake(schema, writer)) {
      writer.writeSchema(first);
      for (EncapsulatedMessage message = messages.next();
          message != null;
          message = messages.next()) {
        intake.take(message, messages::readBodyPart);
      }
      requireEnd(messages);
      return finish(intake, Metadata.EMPTY);
    }
  }

  /// A stream that was cut between two messages looks like one whose writer left out the marker.
  private void requireEnd(MessageReader messages) throws IOException {
    if (!messages.endOfStreamSeen()) {
      warnings.add(
          "Expected the end-of-stream marker but found the end of the body at byte offset "
              + messages.position());
      return;
    }
    long zeros = messages.requireEnd();
    if (zeros > 0) {
      warnings.add(
          "Expected the end of the body after the end-of-stream marker but found %d bytes of zero at byte offset %d"
              .formatted(zeros, messages.position()));
    }
  }

  private StagedUpload takeFile(MemorySegment file) throws IOException {
    long footerByteSize = FileReader.footerByteSize(file, options.limits());
    charge.take(
        footerByteSize * HELD_BYTES_PER_FOOTER_BYTE,
        InputLocation.byteOffset(
            file.byteSize() - Framing.FILE_TRAILER_BYTE_SIZE - footerByteSize));
    FileReader reader = new FileReader(file, options.limits(), memory);
    FileReader.requireSmallBlocks(reader.footer(), file.byteSize());
    CanonicalWriter writer = new CanonicalWriter(key, upload, hasEnd);
    try (MessageIngester intake = intake(reader.footer().schema(), writer)) {
      EncapsulatedMessage schema = embeddedSchema(file, reader.footer().schema());
      if (schema == null) {
        writer.writeSchema(reader.schema());
      } else {
        writer.writeSchema(schema);
      }
      for (int i : dictionaryOrder(reader, intake)) {
        expect(reader.footer().dictionaries().get(i));
        EncapsulatedMessage dictionary = reader.dictionaryMessage(i);
        intake.take(dictionary, body(reader, dictionary));
      }
      for (int i = 0; i < reader.batchCount(); i++) {
        expect(reader.footer().recordBatches().get(i));
        EncapsulatedMessage batch = reader.batchMessage(i);
        intake.take(batch, body(reader, batch));
      }
      return finish(intake, reader.footer().customMetadata());
    }
  }

  /// What belongs to somebody else is copied before it is looked at.
  private ByteSource body(FileReader reader, EncapsulatedMessage message) {
    MemorySegment body = reader.body(message);
    return adopted == null ? ByteSource.at(body) : ByteSource.of(body);
  }

  private void expect(Block block) {
    if (adopted != null) {
      adopted.expect(block.offset());
    }
  }

  private MessageIngester intake(Schema schema, CanonicalWriter writer) {
    return new MessageIngester(
        schema, options, wanted, store, upload, writer, memory, bodyMemory, warnings);
  }

  /// Ends the blob, or another one in its place.
  private StagedUpload finish(MessageIngester intake, Metadata customMetadata) throws IOException {
    WrittenFile written = intake.finish(customMetadata);
    if (written != null) {
      return new StagedUpload(written, warnings, upload);
    }
    BlobUpload again = store.begin(key);
    StagedUpload rewritten = null;
    try {
      rewritten = new StagedUpload(intake.rewrite(key, again, customMetadata), warnings, again);
      return rewritten;
    } finally {
      if (rewritten == null) {
        again.close();
      }
    }
  }

  private MemorySegment spool(ByteSource source, MemorySegment chunk, Arena arena)
      throws IOException {
    try (Spool spool = store.spool()) {
      for (long count = source.read(chunk); count >= 0; count = source.read(chunk)) {
        spool.write(chunk.asSlice(0, count));
      }
      return spool.map(0, spool.position(), arena);
    }
  }

  /// The schema message that the stream within the file starts with, when it is the footer's.
  private @Nullable EncapsulatedMessage embeddedSchema(MemorySegment file, Schema schema)
      throws IOException {
    ByteSource stream = ByteSource.of(file.asSlice(Framing.FILE_HEADER_BYTE_SIZE));
    try {
      EncapsulatedMessage first = new MessageReader(stream, options.limits()).readSchema();
      return MessageReader.schemaOf(first).equals(schema) ? first : null;
    } catch (InputException e) {
      // Some writers leave it out, or pad the magic further; the footer has it all.
      return null;
    }
  }

  /// Which dictionary messages come after each other, those first that others refer to: a file may
  /// have them in any order. Batches of a file are read in any order, so that all see the same
  /// dictionaries. The messages are not kept: their metadata may be most of the file.
  private static int[] dictionaryOrder(FileReader reader, MessageIngester intake) {
    Map<Long, Integer> order = new HashMap<>();
    intake.dictionaryFields().byId().keySet().forEach(id -> order.put(id, order.size()));
    int[] ranks = new int[reader.footer().dictionaries().size()];
    Set<Long> whole = new HashSet<>();
    for (int i = 0; i < ranks.length; i++) {
      EncapsulatedMessage message = reader.dictionaryMessage(i);
      DictionaryBatchHeader header = (DictionaryBatchHeader) message.message().header();
      if (!header.delta() && !whole.add(header.id())) {
        throw new MalformedInputException(
            "one non-delta batch of dictionary " + header.id() + " in a file",
            "a second one",
            message.place().withDetail("DictionaryBatch.id"));
      }
      ranks[i] = order.getOrDefault(header.id(), 0);
    }
    return IntStream.range(0, ranks.length)
        .boxed()
        .sorted(Comparator.comparingInt(i -> ranks[i]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /// Takes in what there is, whatever it is.
  private interface Intake {

    StagedUpload from(Ingest ingest) throws IOException;
  }
}
