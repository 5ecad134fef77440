package dev.quiver.server.write;

import dev.quiver.arrow.ipc.UnsupportedFormatException;
import dev.quiver.arrow.validate.InvalidDataException;
import dev.quiver.server.access.Access;
import dev.quiver.server.http.IdempotencyKeyHeader;
import dev.quiver.server.http.Preconditions;
import dev.quiver.server.http.PreferredWait;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.RequestHead;
import dev.quiver.server.http.RespondAsync;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.store.Datasets;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.PreconditionFailedException;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A write, parsed once. It is the same whether its body arrives with the request or in parts, and
/// whether the thread of the request stores it or a job.
///
/// @param name the dataset; of a form, a generated name until the form is read
/// @param key the idempotency key, or null if absent
/// @param reply how the client wants to be told of the outcome
public record WriteRequest(
    Kind kind,
    DatasetName name,
    WriteCondition condition,
    UploadOptions options,
    @Nullable IdempotencyKey key,
    UploadFormat format,
    Access access,
    Reply reply) {

  /// The form of the response.
  ///
  /// @param job how long the client waits for a job at most, or null if it prefers to wait for the
  ///   outcome
  /// @param isVerbose whether the response has all members of the version, with its links
  record Reply(@Nullable PreferredWait job, boolean isVerbose) {

    static Reply of(RequestHead head) {
      PreferredWait job =
          RespondAsync.isPreferredBy(head)
              ? PreferredWait.of(head.headers("Prefer"), Long.MAX_VALUE)
              : null;
      return new Reply(job, UploadParameters.isVerbose(head));
    }
  }

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

  /// Parses a PUT or an append.
  ///
  /// @param segment names the dataset, with or without a suffix
  /// @param ownKey the key of an upload whose body has arrived in parts, or null. A client need not
  ///   send one with a PUT, which it may repeat.
  /// @throws dev.quiver.server.http.ProblemException 400, 405 or 415
  static WriteRequest ofDataset(
      Kind kind, String segment, RequestHead head, Access access, @Nullable IdempotencyKey ownKey) {
    DatasetPath path = DatasetPath.parseWritten(segment, head.method(), access.earlierNames());
    UploadFormat format = UploadFormat.of(head, path);
    UploadOptions options = UploadParameters.of(head, access);
    WriteCondition condition = condition(path.name(), head);
    IdempotencyKey key = kind == Kind.PUT ? ownKey : key(head, ownKey);
    return new WriteRequest(
        kind, path.name(), condition, options, key, format, access, Reply.of(head));
  }

  /// Returns the condition of a write. One to a name that is reserved now does not create it again.
  private static WriteCondition condition(DatasetName name, RequestHead head) {
    WriteCondition stated = Preconditions.of(head).ofWrite(name);
    if (!DatasetName.hasReservedSuffix(name.value())) {
      return stated;
    }
    return new WriteCondition.ByLatest(latest -> {
      if (latest == null) {
        DatasetPath.requireNew(name);
      }
      WriteCondition found = stated.resolve(latest);
      return found instanceof WriteCondition.None ? new WriteCondition.IfExists() : found;
    });
  }

  /// Parses the creation of a dataset without a given name, or of one that a form names.
  ///
  /// @param defaultName the dataset to create or replace if the form names none, or null
  /// @param ownKey the key of an upload whose body has arrived in parts, or null
  /// @throws dev.quiver.server.http.ProblemException 400 or 415, and 401 or 403 unless the form may
  ///   name a dataset
  static WriteRequest ofUnnamed(
      RequestHead head,
      Access access,
      @Nullable DatasetName defaultName,
      @Nullable IdempotencyKey ownKey) {
    Boundary boundary = Boundary.of(head);
    UploadOptions options = UploadParameters.of(head, access);
    IdempotencyKey key = key(head, ownKey);
    UploadFormat format =
        boundary == null
            ? UploadFormat.ofStored(head)
            : new UploadFormat.Form(boundary, head.parameters(), defaultName);
    WriteRequest write = unnamed(options, key, format, access, Reply.of(head));
    if (boundary == null) {
      access.requireWritable(write.name, /* generated= */ true);
    }
    return write;
  }

  private static WriteRequest unnamed(
      UploadOptions options,
      @Nullable IdempotencyKey key,
      UploadFormat format,
      Access access,
      Reply reply) {
    DatasetName name = key == null ? DatasetName.generated() : DatasetName.generated(key);
    return new WriteRequest(
        Kind.CREATE_UNNAMED, name, new WriteCondition.None(), options, key, format, access, reply);
  }

  private static @Nullable IdempotencyKey key(RequestHead head, @Nullable IdempotencyKey ownKey) {
    IdempotencyKey stated = IdempotencyKeyHeader.of(head);
    return stated == null ? ownKey : stated;
  }

  /// Returns how long the client waits for a job at most, or null if it prefers to wait for the
  /// outcome.
  @Nullable PreferredWait job() {
    return reply.job();
  }

  /// Returns the write of data in a form.
  ///
  /// @param data the format of the part with the data
  /// @throws dev.quiver.server.http.ProblemException 401, 403 or 404 if the principal may not write
  ///   the dataset
  WriteRequest named(UploadFormat.Form form, FormMetadata metadata, UploadFormat.Data data) {
    UploadOptions stated = metadata.options(options);
    DatasetName given = metadata.name();
    WriteRequest named;
    if (given != null) {
      WriteCondition absent = new WriteCondition.IfAbsent();
      named = new WriteRequest(Kind.CREATE, given, absent, stated, key, data, access, reply);
    } else if (form.defaultName() == null) {
      named = new WriteRequest(kind, name, condition, stated, key, data, access, reply);
    } else {
      DatasetName replaced = form.defaultName();
      named =
          new WriteRequest(
              Kind.PUT, replaced, condition, stated, /* key= */ null, data, access, reply);
    }
    access.requireWritable(named.name, named.kind == Kind.CREATE_UNNAMED);
    return named;
  }

  /// Returns the dataset, or null if its name may be told only once it exists.
  public @Nullable DatasetName target() {
    return kind == Kind.CREATE_UNNAMED && key == null ? null : name;
  }

  /// Returns whether the dataset may get columns.
  boolean mayAddColumns() {
    return kind == Kind.APPEND && options.schemaPolicy().addsColumns();
  }

  /// Returns whether the write already happened, with the same idempotency key.
  public boolean isRepeated(Datasets datasets) throws IOException {
    DatasetName target = target();
    return key != null && target != null && datasets.hasWritten(target, key);
  }

  /// Checks the condition before the data is received. That of a write that already happened does
  /// not count, as it may be the write itself that broke it.
  ///
  /// @return the write with the condition that has to hold from now on
  public WriteRequest checked(Datasets datasets) throws IOException {
    if (kind == Kind.CREATE_UNNAMED) {
      return this;
    }
    try {
      WriteCondition left = datasets.check(name, condition);
      return new WriteRequest(kind, name, left, options, key, format, access, reply);
    } catch (PreconditionFailedException e) {
      if (isRepeated(datasets)) {
        return this;
      }
      throw failure(e);
    }
  }

  /// States what is written, before anything of the data is read.
  void prepare(Datasets datasets, ArrowBody data) {
    if (kind == Kind.APPEND) {
      data.appendedTo(() -> datasets.appended(name));
    } else if (kind == Kind.PUT) {
      data.replaces(name);
    }
  }

  /// Stores the data, which is prepared.
  ///
  /// @param detailed the options of this write, with those that depend on the data
  public WriteResult write(Datasets datasets, ArrowBody data, UploadOptions detailed)
      throws IOException {
    try {
      return switch (kind) {
        case CREATE_UNNAMED -> datasets.create(name, data, detailed, key);
        case PUT -> datasets.put(name, data, condition, detailed, key);
        case APPEND, CREATE -> datasets.append(name, data, condition, detailed, key);
      };
    } catch (PreconditionFailedException e) {
      throw failure(e);
    } catch (InvalidDataException e) {
      throw data.failure(e);
    } catch (UnsupportedFormatException e) {
      boolean isInForm =
          format instanceof UploadFormat.Undeclared undeclared && undeclared.isInForm();
      throw e.withHint(RecognizedWrite.hint(target(), isInForm, e.text()));
    }
  }

  private RuntimeException failure(PreconditionFailedException e) {
    return kind == Kind.CREATE
        ? Problem.of(
                ProblemType.CONFLICT,
                "Expected a new name but found %s at member name of part metadata".formatted(name))
            .withHint(RecognizedWrite.otherName(name, format))
            .asException()
        : e;
  }
}
