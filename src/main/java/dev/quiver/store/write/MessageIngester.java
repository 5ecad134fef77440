package dev.quiver.store.write;

import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.RecordBatchReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.MessageHeader;
import dev.quiver.arrow.metadata.MessageHeader.DictionaryBatchHeader;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.transform.DictionaryUnifier;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.Level;
import dev.quiver.arrow.validate.Validator;
import dev.quiver.formats.BatchStream;
import dev.quiver.store.file.BatchRewriter;
import dev.quiver.store.file.CanonicalWriter;
import dev.quiver.store.file.UploadedMessages;
import dev.quiver.store.file.WrittenFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An ingester of dictionaries and record batches. It validates each, and writes it to the upload
/// in canonical form.
final class MessageIngester implements AutoCloseable {

  /// The level at which uploads are validated, unless a lower one is configured and nothing reads
  /// the values. Violations at this last level are only warnings.
  static final Level LEVEL = Level.DOMAIN;

  private final Limits limits;
  private final IngestContext context;
  private final Ingest.Destination destination;
  private final CanonicalWriter writer;
  private final RecordBatchReader reader;
  private final DictionaryUnifier unifier;
  private final Warnings warnings;
  private final ScratchMemory dictionaryMemory;
  private final DictionaryIngester dictionaries;
  private final BatchIngester batches;
  private final List<Epoch> epochs = new ArrayList<>();
  private long batchCount;

  /// @param stream the record batches if they are in memory, or null
  MessageIngester(
      Schema schema,
      IngestContext context,
      Ingest.Destination destination,
      @Nullable BatchStream stream) {
    this.context = context;
    this.limits = context.limits();
    this.destination = destination;
    this.writer = destination.writer();
    this.reader = new RecordBatchReader(schema, limits);
    this.warnings = context.warnings();
    warnings.addDomain(Validator.validate(schema, LEVEL), LEVEL, InputLocation.UNKNOWN);
    this.unifier =
        new DictionaryUnifier(
            reader.schema(),
            limits,
            context.options().uploadDictionaryBytes(),
            context.scratchFolder());
    this.dictionaryMemory = new ScratchMemory(context.scratchFolder());
    BodyIngester bodies = new BodyIngester(context, destination, reader, unifier);
    this.dictionaries =
        new DictionaryIngester(context, reader, unifier, bodies, writer, dictionaryMemory);
    this.batches =
        new BatchIngester(context, reader, stream, unifier, bodies, writer, dictionaries);
    epochs.add(new Epoch(0, unifier.schema()));
  }

  /// Ingests a dictionary batch or record batch.
  ///
  /// @param body the source of exactly the bytes that the message declares
  void ingest(EncapsulatedMessage message, ByteSource body) throws IOException {
    switch (message.message().header()) {
      case DictionaryBatchHeader header -> {
        dictionaries.ingest(message, header, body);
        recordSchema();
      }
      case RecordBatchHeader header -> {
        limits
            .uploadBatches()
            .check(batchCount + 1, "record batches in an upload", message.place());
        ingestWaitingDictionaries();
        batches.ingest(message, header, batchCount, body);
        batchCount++;
      }
      case MessageHeader.SchemaHeader _,
          MessageHeader.TensorHeader _,
          MessageHeader.SparseTensorHeader _ ->
          throw new IllegalArgumentException("Not a message of a batch: " + message);
    }
  }

  /// Returns the number of record batches that arrived.
  long batchCount() {
    return batchCount;
  }

  /// Writes everything that had to wait for the last message, and the end of the file.
  ///
  /// @param customMetadata the metadata of the footer
  /// @return the file, or null if it must be rewritten because a dictionary outgrew its indices
  @Nullable WrittenFile finish(Metadata customMetadata) throws IOException {
    ingestWaitingDictionaries();
    batches.writeWaiting();
    // Without record batches, readers expect either no dictionaries or all of them.
    if (writer.batchCount() == 0 && dictionaries.hasArrivals()) {
      dictionaries.writeMissing();
    }
    if (epochs.size() > 1) {
      return null;
    }
    dictionaries.writeChanged();
    return writer.finish(unifier.schema(), customMetadata, warnings.level());
  }

  /// Rewrites the whole file with the index types of the last schema.
  WrittenFile rewrite(CanonicalWriter rewritten, Metadata customMetadata) throws IOException {
    rewritten.writeSchema(unifier.schema());
    dictionaries.writeAll(rewritten);
    BatchRewriter rewriter =
        new BatchRewriter(
            UploadedMessages.of(destination.upload(), writer, limits),
            limits,
            context.scratchFolder());
    for (int i = 0; i < epochs.size(); i++) {
      Epoch epoch = epochs.get(i);
      int end = i + 1 < epochs.size() ? epochs.get(i + 1).start() : writer.batchCount();
      List<Block> blocks = writer.recordBatches().subList(epoch.start(), end);
      if (epoch.schema().equals(unifier.schema())) {
        rewriter.copy(blocks, rewritten);
      } else {
        rewriter.write(epoch.schema(), blocks, unifier::widened, rewritten);
      }
    }
    return rewritten.finish(unifier.schema(), customMetadata, warnings.level());
  }

  @Override
  public void close() throws IOException {
    try (unifier;
        dictionaryMemory;
        batches) {
      dictionaries.close();
    }
  }

  private void ingestWaitingDictionaries() throws IOException {
    if (dictionaries.hasWaiting()) {
      dictionaries.ingestWaiting();
      recordSchema();
    }
  }

  private void recordSchema() throws IOException {
    if (!unifier.schema().equals(epochs.getLast().schema())) {
      batches.writeWaiting();
      epochs.add(new Epoch(writer.batchCount(), unifier.schema()));
    }
  }

  /// A run of batches written with the same schema.
  ///
  /// @param start the index of the first batch
  private record Epoch(int start, Schema schema) {}
}
