package dev.quiver.web.request;

import dev.quiver.dataset.Datasets;
import dev.quiver.dataset.ingest.SpooledBody;
import dev.quiver.dataset.ingest.UploadOptions;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.IdempotencyKey;
import dev.quiver.dataset.version.PreconditionFailedException;
import dev.quiver.dataset.version.WriteCondition;
import dev.quiver.dataset.version.WriteResult;
import dev.quiver.input.Excerpt;
import dev.quiver.ipc.BodyFormat;
import dev.quiver.memory.ByteSource;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// An upload as a form: a part `data` or a file of any name, and optionally a part `metadata`
/// before or after it.
///
/// If the data comes first, it is spooled until the metadata is known; otherwise it is ingested as
/// it arrives. Either way the form is read to its end before a version becomes visible.
public final class FormUpload {

  private final Datasets datasets;
  private final FormParts parts;
  private final @Nullable DatasetName defaultName;

  /// @param defaultName the dataset to create or replace if the form names none; if null, a name is
  ///   generated
  public FormUpload(Datasets datasets, FormParts parts, @Nullable DatasetName defaultName) {
    this.datasets = datasets;
    this.parts = parts;
    this.defaultName = defaultName;
  }

  /// Creates the dataset from the form.
  ///
  /// @param defaults how to store the data where the form does not say
  /// @param key identifies retries of the same request, or null if absent
  public WriteResult create(UploadOptions defaults, @Nullable IdempotencyKey key)
      throws IOException {
    FormPart first = parts.next();
    if (isMetadata(first)) {
      FormMetadata metadata = FormMetadata.parse(parts.readLimitedContent());
      BodyFormat format = UploadFormat.of(requireData(parts.next()).contentType());
      return create(metadata, defaults, untilEndOfForm(parts.content()), format, key);
    }
    BodyFormat format = UploadFormat.of(requireData(first).contentType());
    try (SpooledBody data = datasets.spool(parts.content())) {
      FormPart second = parts.next();
      FormMetadata metadata = FormMetadata.NONE;
      if (isMetadata(second)) {
        metadata = FormMetadata.parse(parts.readLimitedContent());
        second = parts.next();
      }
      requireNone(second);
      return create(metadata, defaults, data.source(), format, key);
    }
  }

  private WriteResult create(
      FormMetadata metadata,
      UploadOptions defaults,
      ByteSource data,
      BodyFormat format,
      @Nullable IdempotencyKey key)
      throws IOException {
    UploadOptions options = metadata.options(defaults);
    DatasetName name = metadata.name();
    if (name == null) {
      return defaultName == null
          ? datasets.create(data, format, options, key)
          : datasets.put(defaultName, data, format, new WriteCondition.None(), options);
    }
    try {
      return datasets.append(name, data, format, new WriteCondition.IfAbsent(), options, key);
    } catch (PreconditionFailedException e) {
      throw Problem.of(
              ProblemType.CONFLICT,
              "Expected a new name but found %s at member name of part metadata".formatted(name))
          .asException();
    }
  }

  /// Returns a source that ends only at the end of the whole form.
  private ByteSource untilEndOfForm(ByteSource data) {
    return new ByteSource() {
      private boolean ended;

      @Override
      public long read(MemorySegment destination) throws IOException {
        long count = data.read(destination);
        if (count < 0 && !ended) {
          ended = true;
          requireNone(parts.next());
        }
        return count;
      }
    };
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
