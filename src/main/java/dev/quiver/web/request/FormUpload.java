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

/// A new dataset that comes as a form: a part `data`, and maybe one `metadata` before or after it.
///
/// Data that come first are kept until it is known what to do with them; others are taken in as
/// they arrive. Either way the form is read to its end before anything is visible.
public final class FormUpload {

  private final Datasets datasets;
  private final FormParts parts;
  private final @Nullable DatasetName defaultName;

  /// @param defaultName of a dataset that is made or replaced where the form names none; without
  ///   one it gets a name of its own
  public FormUpload(Datasets datasets, FormParts parts, @Nullable DatasetName defaultName) {
    this.datasets = datasets;
    this.parts = parts;
    this.defaultName = defaultName;
  }

  /// @param wanted how to store the data where the form does not say
  /// @param key that makes sure that this is done once; null without one
  public WriteResult create(UploadOptions wanted, @Nullable IdempotencyKey key) throws IOException {
    FormPart first = parts.next();
    if (isMetadata(first)) {
      FormMetadata metadata = FormMetadata.parse(parts.readLimitedContent());
      BodyFormat format = UploadFormat.of(requireData(parts.next()).contentType());
      return create(metadata, wanted, untilTheEnd(parts.content()), format, key);
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
      return create(metadata, wanted, data.source(), format, key);
    }
  }

  private WriteResult create(
      FormMetadata metadata,
      UploadOptions wanted,
      ByteSource data,
      BodyFormat format,
      @Nullable IdempotencyKey key)
      throws IOException {
    UploadOptions options = metadata.options(wanted);
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
              "Expected a name that no dataset has but found %s at member name of part metadata"
                  .formatted(name))
          .asException();
    }
  }

  /// The end of this source is the end of the whole form.
  private ByteSource untilTheEnd(ByteSource data) {
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
    if (part == null || !part.name().equals("data")) {
      throw unexpected("a part data", part);
    }
    return part;
  }

  private static void requireNone(@Nullable FormPart part) {
    if (part != null) {
      throw unexpected("one part data and at most one part metadata", part);
    }
  }

  private static ProblemException unexpected(String expected, @Nullable FormPart part) {
    String found =
        part == null ? "the end" : "a part " + Excerpt.of(part.name(), Problem.QUOTE_LENGTH);
    return Problem.of(
            ProblemType.BAD_REQUEST,
            "Expected %s but found %s at the form".formatted(expected, found))
        .asException();
  }
}
