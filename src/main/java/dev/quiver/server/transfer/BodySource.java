package dev.quiver.server.transfer;

import dev.quiver.server.http.ResponseCoding;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The source of a representation's body.
///
/// The header phase of a response never opens it. A response that turns out to be a 304 or a 412
/// costs nothing, and [ResponseAdmission] waits for a permit before any work is done.
public sealed interface BodySource {

  /// Does the work that is needed to know the length of the body.
  Body open() throws IOException;

  /// Returns whether the length of the body can be known before it is sent, so that ranges are
  /// possible.
  default boolean hasRanges() {
    return true;
  }

  /// A body that needs no work: stored bytes, or one that is generated while it is sent.
  record Ready(Body body) implements BodySource {

    @Override
    public Body open() {
      return body;
    }

    @Override
    public boolean hasRanges() {
      return body instanceof FixedLengthBody;
    }
  }

  /// A body in memory that never changes. Each coding of it is made once, when it is requested
  /// first, so that it is sent without work.
  final class Static implements BodySource {

    private final byte[] content;
    private final Map<ResponseCoding, byte[]> coded = new ConcurrentHashMap<>();

    /// @param content not changed afterwards
    public Static(byte[] content) {
      this.content = content;
    }

    /// Returns the bytes, which must not be changed.
    public byte[] content() {
      return content;
    }

    @Override
    public FixedLengthBody open() {
      return in(ResponseCoding.IDENTITY);
    }

    /// Returns the body in a coding.
    FixedLengthBody in(ResponseCoding coding) {
      byte[] bytes =
          coding == ResponseCoding.IDENTITY
              ? content
              : coded.computeIfAbsent(coding, each -> each.encoded(content));
      return FixedLengthBody.of(BodyPart.Bytes.of(bytes));
    }
  }

  /// Some columns or rows of stored data. Opening it reads the metadata of the selected batches,
  /// and decodes partially selected ones, or all if dictionaries are reduced.
  record Selected(IoSupplier<FixedLengthBody> layout) implements BodySource {

    @Override
    public FixedLengthBody open() throws IOException {
      return layout.get();
    }
  }

  /// A file that is written once and kept. Opening it waits until it is written, which takes a
  /// worker or a permit of its own.
  record Kept(IoSupplier<FixedLengthBody> file) implements BodySource {

    @Override
    public FixedLengthBody open() throws IOException {
      return file.get();
    }
  }

  /// A text that is rendered while it is sent, unless it is kept as a file. A HEAD or a range needs
  /// the file.
  ///
  /// @param kept returns the file if it is kept, or null
  /// @param file waits until the file is written, which takes a permit of its own
  record Text(
      StreamingBody streamed,
      IoSupplier<@Nullable FixedLengthBody> kept,
      IoSupplier<FixedLengthBody> file)
      implements BodySource {

    @Override
    public Body open() throws IOException {
      FixedLengthBody present = kept.get();
      return present == null ? streamed : present;
    }
  }

  /// A document in memory. Opening it renders all of it, so a HEAD never opens it.
  record Document(Rendering rendering) implements BodySource {

    /// A short document.
    public Document(IoSupplier<byte[]> rendering) {
      this(output -> output.write(rendering.get()));
    }

    @Override
    public FixedLengthBody open() throws IOException {
      ByteArrayOutputStream output = new ByteArrayOutputStream();
      rendering.writeTo(output);
      return FixedLengthBody.of(BodyPart.Bytes.of(output.toByteArray()));
    }
  }

  /// An action that may fail.
  @FunctionalInterface
  interface IoRunnable {
    void run() throws IOException;
  }

  /// The result of a computation. Opening it starts the computation and waits for its first bytes.
  ///
  /// @param validation fails as the computation would at its start, without its work
  record Computed(IoSupplier<Body> computation, IoRunnable validation) implements BodySource {

    /// Fails if the computation cannot start.
    void check() throws IOException {
      validation.run();
    }

    @Override
    public Body open() throws IOException {
      return computation.get();
    }

    @Override
    public boolean hasRanges() {
      return false;
    }
  }

  /// A list of datasets by name, which is read while it is sent.
  record ListStream(StreamingBody body) implements BodySource {

    @Override
    public StreamingBody open() {
      return body;
    }

    @Override
    public boolean hasRanges() {
      return false;
    }
  }

  /// A document in memory whose rendering waits for the permits that it needs: a list of datasets
  /// or of jobs, or statistics.
  record AdmittedDocument(Rendering rendering) implements BodySource {

    @Override
    public FixedLengthBody open() throws IOException {
      return new Document(rendering).open();
    }

    @Override
    public boolean hasRanges() {
      return false;
    }
  }

  /// Writes the text of a document.
  interface Rendering {

    void writeTo(OutputStream output) throws IOException;
  }

  /// Computes a value on demand.
  interface IoSupplier<T extends @Nullable Object> {

    T get() throws IOException;
  }
}
