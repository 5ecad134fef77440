package dev.quiver.server.write;

import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.store.Datasets;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.PreconditionFailedException;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// An upload as its request states it, done by the thread of its request or by that of a job.
///
/// @param key the idempotency key, or null if absent
public record Upload(
    Kind kind,
    DatasetName name,
    WriteCondition condition,
    UploadOptions options,
    @Nullable IdempotencyKey key) {

  /// The use of the data.
  public enum Kind {
    /// It replaces that of the dataset.
    PUT,
    /// It follows that of the dataset.
    APPEND,
    /// It becomes a dataset with the name that a form gives.
    CREATE,
    /// It becomes a dataset with a generated name.
    CREATE_UNNAMED
  }

  /// Returns an upload that creates a dataset with a generated name.
  public static Upload unnamed(UploadOptions options, @Nullable IdempotencyKey key) {
    DatasetName name = key == null ? DatasetName.generated() : DatasetName.generated(key);
    return new Upload(Kind.CREATE_UNNAMED, name, new WriteCondition.None(), options, key);
  }

  /// Returns the dataset, or null if its name may be told only once it exists.
  public @Nullable DatasetName target() {
    return kind == Kind.CREATE_UNNAMED && key == null ? null : name;
  }

  /// Returns whether the upload already happened, with the same idempotency key.
  public boolean isRepeated(Datasets datasets) throws IOException {
    DatasetName target = target();
    return key != null && target != null && datasets.hasWritten(target, key);
  }

  /// Checks the condition before the data is received. That of an upload that already happened does
  /// not count, as it may be the upload itself that broke it.
  ///
  /// @return the upload with the condition that has to hold from now on
  public Upload checked(Datasets datasets) throws IOException {
    if (kind == Kind.CREATE_UNNAMED) {
      return this;
    }
    try {
      return new Upload(kind, name, datasets.check(name, condition), options, key);
    } catch (PreconditionFailedException e) {
      if (isRepeated(datasets)) {
        return this;
      }
      throw failure(e);
    }
  }

  /// Stores the data.
  ///
  /// @param detailed the options of this upload, with those that depend on the data
  public WriteResult write(Datasets datasets, ArrowBody data, UploadOptions detailed)
      throws IOException {
    if (kind == Kind.APPEND) {
      data.appendedTo(() -> datasets.schema(name));
    }
    try {
      return switch (kind) {
        case CREATE_UNNAMED -> datasets.create(name, data, data.format(), detailed, key);
        case PUT -> datasets.put(name, data, data.format(), condition, detailed, key);
        case APPEND, CREATE -> datasets.append(name, data, data.format(), condition, detailed, key);
      };
    } catch (PreconditionFailedException e) {
      throw failure(e);
    } catch (InvalidDataException e) {
      throw data.failure(e);
    }
  }

  private RuntimeException failure(PreconditionFailedException e) {
    return kind == Kind.CREATE
        ? Problem.of(
                ProblemType.CONFLICT,
                "Expected a new name but found %s at member name of part metadata".formatted(name))
            .asException()
        : e;
  }
}
