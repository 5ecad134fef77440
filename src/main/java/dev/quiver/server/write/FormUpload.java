package dev.quiver.server.write;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.server.access.Access;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import dev.quiver.sql.execution.Spool;
import dev.quiver.sql.execution.SpooledFile;
import dev.quiver.store.Datasets;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.SpooledBody;
import dev.quiver.store.write.UploadOptions;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An upload as a form: a part `data` or a file of any name, and optionally a part `metadata`
/// before or after it.
///
/// If the data comes first, it is spooled until the metadata is known; otherwise it is ingested as
/// it arrives. Either way the form is read to its end before a version becomes visible.
public final class FormUpload implements AutoCloseable {

  private final Datasets datasets;
  private final FormParts parts;
  private final @Nullable DatasetName defaultName;
  private final ArrowBodies bodies;
  private final HttpServletRequest request;

  /// Null before the form is read.
  private @Nullable ArrowBody data;

  /// @param defaultName the dataset to create or replace if the form names none; if null, a name is
  ///   generated
  /// @param request has the options of files of other formats
  public FormUpload(
      Datasets datasets,
      FormParts parts,
      @Nullable DatasetName defaultName,
      ArrowBodies bodies,
      HttpServletRequest request) {
    this.datasets = datasets;
    this.parts = parts;
    this.defaultName = defaultName;
    this.bodies = bodies;
    this.request = request;
  }

  /// Creates the dataset from the form.
  ///
  /// @param defaults how to store the data where the form does not say
  /// @param key identifies retries of the same request, or null if absent
  public WriteResult create(UploadOptions defaults, @Nullable IdempotencyKey key)
      throws IOException {
    FormPart first = parts.next();
    if (isMetadata(first)) {
      FormMetadata metadata = metadata();
      UploadFormat format = format(requireData(parts.next()));
      return create(metadata, defaults, untilEndOfForm(parts.content()), format, key);
    }
    UploadFormat format = format(requireData(first));
    try (SpooledBody spooled = datasets.spool(parts.content())) {
      FormPart second = parts.next();
      FormMetadata metadata = FormMetadata.NONE;
      if (isMetadata(second)) {
        metadata = metadata();
        second = parts.next();
      }
      requireNone(second);
      return create(metadata, defaults, spooled.source(), format, key);
    }
  }

  private UploadFormat format(FormPart part) {
    return UploadFormat.of(part.contentType(), part.fileName(), UploadFormat.options(request));
  }

  /// Returns the data of the form, which was created.
  public ArrowBody data() {
    return Objects.requireNonNull(data);
  }

  private WriteResult create(
      FormMetadata metadata,
      UploadOptions defaults,
      ByteSource content,
      UploadFormat format,
      @Nullable IdempotencyKey key)
      throws IOException {
    Upload upload = upload(metadata, defaults, key);
    ArrowBody arrow = bodies.of(request, content, format);
    data = arrow;
    return upload.write(datasets, arrow, upload.options());
  }

  private Upload upload(
      FormMetadata metadata, UploadOptions defaults, @Nullable IdempotencyKey key) {
    Upload upload = named(metadata, defaults, key);
    Access.of(request).requireWritable(upload.name(), upload.kind() == Upload.Kind.CREATE_UNNAMED);
    return upload;
  }

  private Upload named(
      FormMetadata metadata, UploadOptions defaults, @Nullable IdempotencyKey key) {
    UploadOptions options = metadata.options(defaults);
    DatasetName name = metadata.name();
    if (name != null) {
      return new Upload(Upload.Kind.CREATE, name, new WriteCondition.IfAbsent(), options, key);
    }
    return defaultName == null
        ? Upload.unnamed(options, key)
        : new Upload(
            Upload.Kind.PUT, defaultName, new WriteCondition.None(), options, /* key= */ null);
  }

  /// Receives the whole form, and keeps its data.
  ///
  /// @param defaults how to store the data where the form does not say
  /// @param key identifies retries of the same request, or null if absent
  public Received receive(UploadOptions defaults, @Nullable IdempotencyKey key, Spool spool)
      throws IOException {
    FormPart part = parts.next();
    FormMetadata metadata = isMetadata(part) ? metadata() : null;
    UploadFormat format = format(requireData(metadata == null ? part : parts.next()));
    bodies.requireReadable(format);
    SpooledFile file = SpooledFile.of(parts.content(), spool);
    try {
      FormPart next = parts.next();
      if (metadata == null && isMetadata(next)) {
        metadata = metadata();
        next = parts.next();
      }
      requireNone(next);
      FormMetadata known = metadata == null ? FormMetadata.NONE : metadata;
      return new Received(upload(known, defaults, key).checked(datasets), format, file);
    } catch (IOException | RuntimeException | Error e) {
      try (file) {
        throw e;
      }
    }
  }

  private FormMetadata metadata() throws IOException {
    return FormMetadata.parse(parts.readLimitedContent());
  }

  /// A form that was received whole.
  ///
  /// @param data closed by the receiver
  public record Received(Upload upload, UploadFormat format, SpooledFile data) {}

  /// Returns a source that ends only at the end of the whole form.
  private ByteSource untilEndOfForm(ByteSource content) {
    return new ByteSource() {
      private boolean ended;

      @Override
      public long read(MemorySegment destination) throws IOException {
        long count = content.read(destination);
        if (count < 0 && !ended) {
          ended = true;
          requireNone(parts.next());
        }
        return count;
      }
    };
  }

  @Override
  public void close() throws IOException {
    if (data != null) {
      data.close();
    }
  }

  private static boolean isMetadata(@Nullable FormPart part) {
    return part != null && part.name().equals("metadata");
  }

  private static FormPart requireData(@Nullable FormPart part) {
    if (part == null || isMetadata(part) || !part.isFile() && !part.name().equals("data")) {
      throw unexpected("a file or a part named data", part);
    }
    return part;
  }

  private static void requireNone(@Nullable FormPart part) {
    if (part != null) {
      throw unexpected("one file or part named data and at most one part named metadata", part);
    }
  }

  private static ProblemException unexpected(String expected, @Nullable FormPart part) {
    String found =
        part == null ? "the end" : "a part named " + Excerpt.of(part.name(), Problem.QUOTE_LENGTH);
    return Problem.of(
            ProblemType.BAD_REQUEST,
            "Expected %s but found %s at the form".formatted(expected, found))
        .asException();
  }
}
