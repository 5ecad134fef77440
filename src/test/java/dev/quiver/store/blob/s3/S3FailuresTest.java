package dev.quiver.store.blob.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.blob.StorageFullException;
import dev.quiver.store.blob.StoreUnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// Tests the interpretation of error responses of stores.
class S3FailuresTest {

  private static S3Exception error(int status, String code) {
    return (S3Exception)
        S3Exception.builder()
            .statusCode(status)
            .awsErrorDetails(
                AwsErrorDetails.builder().errorCode(code).errorMessage("in words").build())
            .message("in words")
            .build();
  }

  @ParameterizedTest
  @CsvSource({
    "507, InsufficientStorage",
    "507, XMinioStorageFull",
    "403, QuotaExceeded",
    "400, XMinioAdminBucketQuotaExceeded",
    "403, StorageCapExceeded"
  })
  void recognizesAFullStoreByAnyKnownCode(int status, String code) {
    assertThat(S3Failures.translated(error(status, code), "data/a"))
        .isInstanceOf(StorageFullException.class)
        .hasMessage("Expected space left in the store but found none");
  }

  @ParameterizedTest
  @CsvSource({"404, NoSuchKey", "404, ''", "412, PreconditionFailed"})
  void recognizesAMissingBlob(int status, String code) {
    assertThat(S3Failures.translated(error(status, code), "data/a"))
        .isInstanceOf(NoSuchBlobException.class);
  }

  @ParameterizedTest
  @CsvSource({"404, NoSuchBucket", "404, NoSuchUpload", "403, AccessDenied"})
  void treatsAnyOtherErrorAsAnUnavailableStore(int status, String code) {
    assertThat(S3Failures.translated(error(status, code), "data/a"))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageStartingWith("Expected a response from the store but found \"in words")
        .hasMessageEndingWith("at key data/a");
  }

  @Test
  void recognizesAnUnavailableStore() {
    assertThat(S3Failures.translated(error(503, "SlowDown"), "data/a"))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageStartingWith("Expected a response from the store but found \"in words");
    assertThat(S3Failures.translated(SdkClientException.create("no route"), "data/a"))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage("Expected a response from the store but found \"no route\" at key data/a");
  }
}
