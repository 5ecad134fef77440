package dev.quiver.store.blob.s3;

import dev.quiver.store.blob.S3Options;
import dev.quiver.store.blob.StoreRequests;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/// The clients of one store, with the credentials of the environment.
///
/// @param retrying the client that retries idempotent requests
/// @param once the client that sends every request only once, so that the response is its outcome
/// @param http the transport of both
record S3Clients(S3Client retrying, S3Client once, ObservedHttpClient http) {

  private static final int MAXIMUM_CONNECTIONS = 256;
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration SILENCE = Duration.ofSeconds(60);
  private static final Duration ATTEMPT = Duration.ofMinutes(2);
  private static final Duration CALL = Duration.ofMinutes(5);

  static S3Clients of(S3Options options, StoreRequests requests) {
    SdkHttpClient transport =
        Apache5HttpClient.builder()
            .maxConnections(MAXIMUM_CONNECTIONS)
            .connectionTimeout(CONNECT)
            .connectionAcquisitionTimeout(SILENCE)
            .socketTimeout(SILENCE)
            .build();
    ObservedHttpClient http = new ObservedHttpClient(transport, requests);
    S3Client retrying = builder(options, http).build();
    S3Client once =
        builder(options, http)
            .overrideConfiguration(configuration ->
                configuration
                    .apiCallAttemptTimeout(CALL)
                    .apiCallTimeout(CALL)
                    .retryStrategy(DefaultRetryStrategy.doNotRetry()))
            .build();
    return new S3Clients(retrying, once, http);
  }

  void close() {
    retrying.close();
    once.close();
    http.close();
  }

  private static S3ClientBuilder builder(S3Options options, SdkHttpClient http) {
    boolean required = options.checksums() == S3Options.Checksums.WHEN_REQUIRED;
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClient(http)
            .forcePathStyle(options.pathStyle())
            .requestChecksumCalculation(
                required
                    ? RequestChecksumCalculation.WHEN_REQUIRED
                    : RequestChecksumCalculation.WHEN_SUPPORTED)
            .responseChecksumValidation(
                required
                    ? ResponseChecksumValidation.WHEN_REQUIRED
                    : ResponseChecksumValidation.WHEN_SUPPORTED)
            .overrideConfiguration(
                configuration -> configuration.apiCallAttemptTimeout(ATTEMPT).apiCallTimeout(CALL));
    URI endpoint = options.endpoint();
    if (endpoint != null) {
      builder.endpointOverride(endpoint);
    }
    if (!options.region().isEmpty()) {
      builder.region(Region.of(options.region()));
    } else if (endpoint != null) {
      builder.region(Region.US_EAST_1);
    }
    return builder;
  }
}
