package dev.quiver.store.blob.s3;

import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.blob.StorageFullException;
import dev.quiver.store.blob.StoreUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/// A translation of request failures into failures of a store.
final class S3Failures {

  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int PRECONDITION_FAILED = 412;
  private static final int RANGE_NOT_SATISFIABLE = 416;
  private static final int INSUFFICIENT_STORAGE = 507;

  /// The error codes by which various stores report that they are full.
  private static final Set<String> FULL = Set.of("Quota", "StorageFull", "CapExceeded");

  /// The causes that the library gives for a response that was cut: in its body, or in a date or
  /// number of its head.
  private static final List<Class<? extends Exception>> CUT =
      List.of(
          UncheckedIOException.class,
          XMLStreamException.class,
          DateTimeException.class,
          NumberFormatException.class);

  private S3Failures() {}

  static IOException translated(SdkException failure, String key) {
    if (isMissing(failure) || isPreconditionFailed(failure)) {
      return new NoSuchBlobException(key);
    }
    String message =
        "Expected a response from the store but found \"%s\" at key %s"
            .formatted(failure.getMessage(), key);
    if (isFull(failure)) {
      return new StorageFullException(new IOException(message, failure));
    }
    return new StoreUnavailableException(message, failure);
  }

  static boolean isMissing(SdkException failure) {
    String code = code(failure);
    return status(failure) == NOT_FOUND
        && !code.equals("NoSuchBucket")
        && !code.equals("NoSuchUpload");
  }

  /// Returns whether a key unexpectedly has a blob, or one other than expected.
  static boolean isPreconditionFailed(SdkException failure) {
    return status(failure) == PRECONDITION_FAILED;
  }

  /// Returns whether a concurrent write of the key has an unknown outcome.
  static boolean isConflict(SdkException failure) {
    return status(failure) == CONFLICT;
  }

  static boolean isOutOfRange(SdkException failure) {
    return status(failure) == RANGE_NOT_SATISFIABLE;
  }

  /// Returns whether a response was cut. The library does not request it again: it takes a part of
  /// a document for an invalid document, or fails after its last attempt.
  static boolean isCut(SdkException failure) {
    return Stream.iterate(failure.getCause(), Objects::nonNull, Throwable::getCause)
        .anyMatch(cause -> CUT.stream().anyMatch(cut -> cut.isInstance(cause)));
  }

  private static boolean isFull(SdkException failure) {
    String code = code(failure);
    return status(failure) == INSUFFICIENT_STORAGE || FULL.stream().anyMatch(code::contains);
  }

  private static int status(SdkException failure) {
    return failure instanceof AwsServiceException response ? response.statusCode() : 0;
  }

  private static String code(SdkException failure) {
    return failure instanceof AwsServiceException response
        ? Stream.ofNullable(response.awsErrorDetails())
            .map(AwsErrorDetails::errorCode)
            .map(String::valueOf)
            .findFirst()
            .orElse("")
        : "";
  }
}
