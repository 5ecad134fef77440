package dev.quiver.store.write;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.SniffedBody;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.LimitedSource;
import dev.quiver.arrow.metadata.Footer;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.metadata.MetadataVersion;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.ReusedMemory;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.BatchStream;
import dev.quiver.formats.ColumnRenames;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobSpool;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.StorageFullException;
import dev.quiver.store.catalog.WriteTransaction;
import dev.quiver.store.file.CanonicalWriter;
import dev.quiver.store.file.LargeVersions;
import dev.quiver.store.file.WrittenFile;
import dev.quiver.store.version.BlobExtent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The conversion of one upload to an IPC file in canonical form, in a blob of a transaction.
///
/// A stream is written as it arrives. A file is received first, because its footer comes last. If
/// all of its messages are already canonical, the blob is the file, byte for byte. That is decided
/// before anything is written.
public final class Ingest {

  /// The memory for the position and the rows of a record batch.
  private static final int HELD_BYTES_PER_BATCH = 64;

  /// The number of record batches whose memory is charged at once.
  private static final int CHARGED_BATCHES = 1024;

  /// The memory for a footer's records, relative to its size. The footer itself stays in the file.
  private static final int HELD_BYTES_PER_FOOTER_BYTE = 4;

  private final IngestContext context;
  private final WriteTransaction transaction;
  private final InFlightBytes.Charge charge;

  /// The key of the first blob.
  private final String key;

  /// The received body if it was sent with its digest.
  private @Nullable DigestedBody digested;

  private int chargedBatchCount;

  private Ingest(IngestContext context, WriteTransaction transaction) {
    this.context = context;
    this.transaction = transaction;
    this.charge = context.charge();
    this.key = transaction.newKey();
  }

  /// Writes the canonical form of data to a blob of `transaction`.
  ///
  /// @param warnings receives the suspicious but allowed findings
  public static WrittenFile ingest(
      UploadData.Source data,
      UploadOptions uploadOptions,
      BlobStore store,
      DatasetOptions options,
      WriteTransaction transaction,
      Warnings warnings)
      throws IOException {
    return run(
        uploadOptions,
        store,
        options,
        transaction,
        warnings,
        ingest ->
            switch (data.open()) {
              case UploadData.Arrow arrow -> ingest.body(arrow);
              case UploadData.Batches(BatchStream batches, long rows) ->
                  ingest.stream(ingest.limited(batches), batches, rows, ColumnRenames.NONE);
            });
  }

  /// Writes the canonical form of a local file to a blob of `transaction`, or makes the file the
  /// blob.
  ///
  /// A stream never becomes the blob, so its batches are resized to suit readers.
  ///
  /// @param mayLink whether the file may become the blob
  /// @param warnings receives the suspicious but allowed findings
  public static WrittenFile ingest(
      HardLinkedFile file,
      boolean mayLink,
      BlobStore store,
      DatasetOptions options,
      WriteTransaction transaction,
      Warnings warnings)
      throws IOException {
    MemorySegment contents = file.contents();
    options.requestBytes().check(contents.byteSize(), "bytes in a request", InputLocation.UNKNOWN);
    boolean isFile = Framing.isMagic(contents, 0);
    return run(
        isFile ? UploadOptions.KEEP : UploadOptions.DEFAULT,
        store,
        options,
        transaction,
        warnings,
        ingest ->
            isFile
                ? ingest.localFile(file, mayLink)
                : ingest.body(new UploadData.Arrow(ByteSource.of(contents), BodyFormat.UNKNOWN)));
  }

  private static WrittenFile run(
      UploadOptions uploadOptions,
      BlobStore store,
      DatasetOptions options,
      WriteTransaction transaction,
      Warnings warnings,
      Input input)
      throws IOException {
    try (ScratchMemory memory = new ScratchMemory(store.scratchFolder());
        InFlightBytes.Charge charge = options.inFlight().open();
        ReusedMemory bodyMemory = new ReusedMemory(charge, memory)) {
      IngestContext context =
          new IngestContext(store, options, uploadOptions, warnings, memory, bodyMemory, charge);
      return input.ingest(new Ingest(context, transaction));
    } catch (UncheckedIOException e) {
      // Scratch memory spilled to a full disk.
      throw StorageFullException.recognized(Objects.requireNonNull(e.getCause()));
    }
  }

  private WrittenFile body(UploadData.Arrow data) throws IOException {
    ByteSource received = data.body();
    String sha256 = context.uploadOptions().digest().sha256();
    if (sha256 != null) {
      digested = new DigestedBody(received, sha256);
      received = digested;
    }
    SniffedBody sniffed = SniffedBody.of(limited(received), data.declared(), context.limits());
    return sniffed.format() == BodyFormat.FILE
        ? receivedFile(sniffed.source(), data.renames())
        : stream(sniffed.source(), /* batches= */ null, data.rows(), data.renames());
  }

  private ByteSource limited(ByteSource source) {
    return new LimitedSource(source, context.options().requestBytes(), "bytes in a request");
  }

  /// Ingests a stream as it arrives, up to the batch with the last of the rows.
  ///
  /// @param batches the record batches if they are in memory, or null
  private WrittenFile stream(
      ByteSource source, @Nullable BatchStream batches, long rows, ColumnRenames renames)
      throws IOException {
    MessageReader messages = new MessageReader(source, context.limits(), charge);
    EncapsulatedMessage first = messages.readSchema();
    Schema schema = renames.apply(MessageReader.schemaOf(first));
    Destination destination = newBlob(key);
    try (MessageIngester ingester = new MessageIngester(schema, context, destination, batches)) {
      destination.writer().writeSchema(first, schema);
      int batchCount = 0;
      long rest = rows;
      EncapsulatedMessage message = null;
      while (rest > 0 && (message = messages.next()) != null) {
        ingester.ingest(message, messages::readBodyPart);
        chargeBatches(destination.writer().batchCount(), message);
        if (message.message().header() instanceof RecordBatchHeader batch) {
          batchCount++;
          context.uploadOptions().observer().read(batch.length());
          rest -= batch.length();
        }
      }
      if (rest > 0) {
        requireEnd(messages, batchCount);
      }
      WrittenFile written = finish(ingester, Metadata.EMPTY);
      return digested == null ? written : digested.digestedStream(written);
    }
  }

  /// Charges the written record batches, whose positions are held until the footer is written.
  private void chargeBatches(int writtenCount, EncapsulatedMessage last) {
    if (writtenCount >= chargedBatchCount + CHARGED_BATCHES) {
      int count = writtenCount - chargedBatchCount;
      charge.take((long) count * HELD_BYTES_PER_BATCH, last.place());
      chargedBatchCount = writtenCount;
    }
  }

  /// Rejects data other than zeros after the end, and a missing end-of-stream marker if it is
  /// required.
  ///
  /// @param batchCount the number of record batches before the end
  private void requireEnd(MessageReader messages, int batchCount) throws IOException {
    if (!messages.endOfStreamSeen()) {
      if (context.uploadOptions().requiresEndOfStream()) {
        throw new MissingEndOfStreamException(batchCount, messages.position());
      }
      context
          .warnings()
          .add(
              "Expected the end-of-stream marker but found the end of the body at byte offset "
                  + messages.position());
      return;
    }
    long zeros = messages.requireEnd();
    if (zeros > 0) {
      context
          .warnings()
          .add(
              "Expected the end of the body after the end-of-stream marker but found %d bytes of zero at byte offset %d"
                  .formatted(zeros, messages.position()));
    }
  }

  /// Ingests a file that is received whole. It is received into the blob that it may become. If
  /// sealing that blob would send it over the network, it is received into a spool instead.
  private WrittenFile receivedFile(ByteSource source, ColumnRenames renames) throws IOException {
    BlobStore store = context.store();
    try (Arena arena = Arena.ofConfined()) {
      if (store.isRemote()) {
        MemorySegment file;
        try (BlobSpool spool = store.spool()) {
          file = receive(source, spool, arena);
        }
        return file(file, renames, _ -> newBlob(key), ByteSource::at);
      }
      BlobUpload received = transaction.begin(key);
      return file(
          receive(source, received, arena),
          renames,
          verbatim ->
              verbatim.keepsAll()
                  ? inPlace(
                      key,
                      received,
                      new BlobExtent(key, 0, verbatim.startByteSize()),
                      verbatim.start())
                  : newBlob(transaction.newKey()),
          ByteSource::at);
    }
  }

  private MemorySegment receive(ByteSource source, BlobSpool spool, Arena arena)
      throws IOException {
    MemorySegment chunk = context.bodyMemory().of(0);
    for (long count = source.read(chunk); count >= 0; count = source.read(chunk)) {
      spool.write(chunk.asSlice(0, count));
    }
    return spool.map(0, spool.position(), arena);
  }

  /// Ingests a local file, whose messages may lie anywhere in it. If only its start is not
  /// canonical, a small blob holds the start. Bodies are copied before they are validated, because
  /// the file belongs to another process.
  private WrittenFile localFile(HardLinkedFile file, boolean mayLink) throws IOException {
    return file(
        file.contents(),
        ColumnRenames.NONE,
        verbatim -> {
          if (!mayLink || !verbatim.keepsMessages()) {
            return newBlob(key);
          }
          long startByteSize = verbatim.startByteSize();
          BlobUpload linked = transaction.own(file.key(), file);
          return startByteSize == VerbatimFile.DIFFERENT
              ? inPlace(file.key(), linked, writeStart(verbatim), MemorySegment.NULL)
              : inPlace(
                  file.key(),
                  linked,
                  new BlobExtent(file.key(), 0, startByteSize),
                  verbatim.start());
        },
        ByteSource::of);
  }

  /// Writes a file without record batches.
  ///
  /// @return the start of that file
  private BlobExtent writeStart(VerbatimFile file) throws IOException {
    Destination destination = newBlob(key);
    file.writeSchema(destination.writer());
    BlobExtent start = new BlobExtent(key, 0, destination.writer().position());
    transaction.addSidecar(key, destination.writer().sidecar());
    MessageWriter end = new MessageWriter(destination.upload());
    end.writeEndOfStream();
    end.writeFooter(
        new Footer(MetadataVersion.V5, file.schema(), List.of(), List.of(), Metadata.EMPTY));
    return start;
  }

  /// Ingests a file that is in memory or mapped.
  ///
  /// @param access returns the source of a body
  private WrittenFile file(
      MemorySegment file,
      ColumnRenames renames,
      Placement placement,
      Function<MemorySegment, ByteSource> access)
      throws IOException {
    long footerByteSize = FileReader.footerByteSize(file, context.limits());
    charge.take(
        footerByteSize * HELD_BYTES_PER_FOOTER_BYTE,
        InputLocation.byteOffset(
            file.byteSize() - Framing.FILE_TRAILER_BYTE_SIZE - footerByteSize));
    FileReader reader = new FileReader(file, context.limits(), context.uploadMemory());
    FileReader.requireSmallBlocks(reader.footer(), file.byteSize());
    Schema schema = renames.apply(reader.footer().schema());
    VerbatimFile verbatim =
        VerbatimFile.of(file, reader, schema, context.limits(), context.uploadOptions());
    Destination destination = placement.of(verbatim);
    try (MessageIngester ingester =
        new MessageIngester(schema, context, destination, /* stream= */ null)) {
      if (!destination.writer().isInPlace()) {
        verbatim.writeSchema(destination.writer());
      }
      for (int i : verbatim.dictionaryOrder()) {
        EncapsulatedMessage dictionary = reader.dictionaryMessage(i);
        ingester.ingest(dictionary, access.apply(reader.body(dictionary)));
      }
      for (int i = 0; i < reader.batchCount(); i++) {
        EncapsulatedMessage batch = reader.batchMessage(i);
        ingester.ingest(batch, access.apply(reader.body(batch)));
        if (batch.message().header() instanceof RecordBatchHeader header) {
          context.uploadOptions().observer().read(header.length());
        }
      }
      WrittenFile written = finish(ingester, reader.footer().customMetadata());
      return digested == null
          ? written
          : digested.digestedFile(written, file, transaction.upload(written.key()));
    }
  }

  private Destination newBlob(String blobKey) throws IOException {
    BlobUpload upload = transaction.begin(blobKey);
    return new Destination(upload, new CanonicalWriter(blobKey, upload));
  }

  /// @param startBytes the bytes of `start` if it is in this blob
  private static Destination inPlace(
      String blobKey, BlobUpload upload, BlobExtent start, MemorySegment startBytes) {
    return new Destination(upload, CanonicalWriter.inPlace(blobKey, start, startBytes));
  }

  /// Finishes the file, or rewrites it to another blob.
  private WrittenFile finish(MessageIngester ingester, Metadata customMetadata) throws IOException {
    try (Permit _ = LargeVersions.await(ingester.batchCount())) {
      WrittenFile written = ingester.finish(customMetadata);
      if (written == null) {
        written = ingester.rewrite(newBlob(transaction.newKey()).writer(), customMetadata);
      }
      transaction.addSidecar(written.key(), written.sidecar());
      return written;
    }
  }

  /// A received body or a local file.
  private interface Input {

    WrittenFile ingest(Ingest ingest) throws IOException;
  }

  /// Chooses the blob for the messages of a file. If they stay in the file, the file is the blob.
  private interface Placement {

    Destination of(VerbatimFile file) throws IOException;
  }

  /// The blob that receives the messages.
  ///
  /// @param upload the upload of the blob, from which the messages can be read again
  record Destination(BlobUpload upload, CanonicalWriter writer) {}
}
