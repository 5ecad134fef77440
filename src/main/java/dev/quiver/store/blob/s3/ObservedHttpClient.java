package dev.quiver.store.blob.s3;

import dev.quiver.store.blob.StoreRequests;
import java.io.IOException;
import java.time.Duration;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpHeaders;

/// A transport that reports each request to an observer as it is sent, retries included, and knows
/// whether the store responded lately.
final class ObservedHttpClient implements SdkHttpClient {

  private static final int SERVER_ERROR = 500;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final String CONTENT_LENGTH = "Content-Length";

  private final SdkHttpClient client;
  private final StoreRequests requests;
  private volatile long respondedAt = System.nanoTime();
  private volatile boolean failed;

  ObservedHttpClient(SdkHttpClient client, StoreRequests requests) {
    this.client = client;
    this.requests = requests;
  }

  /// Returns whether the last request had a response, a moment ago.
  boolean hasRespondedWithin(Duration time) {
    return !failed && System.nanoTime() - respondedAt < time.toNanos();
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    ExecutableHttpRequest prepared = client.prepareRequest(request);
    return new ExecutableHttpRequest() {

      @Override
      public HttpExecuteResponse call() throws IOException {
        long start = System.nanoTime();
        HttpExecuteResponse response = null;
        try {
          response = prepared.call();
          return counted(response);
        } finally {
          failed = response == null || isFailure(response.httpResponse().statusCode());
          respondedAt = System.nanoTime();
          requests.responded(
              request.httpRequest().method().name(),
              response == null ? 0 : response.httpResponse().statusCode(),
              respondedAt - start,
              byteSize(request.httpRequest()));
        }
      }

      @Override
      public void abort() {
        prepared.abort();
      }
    };
  }

  private HttpExecuteResponse counted(HttpExecuteResponse response) {
    return HttpExecuteResponse.builder()
        .response(response.httpResponse())
        .responseBody(
            response.responseBody().map(body -> CountedBody.of(body, requests)).orElse(null))
        .build();
  }

  /// Returns whether a status may mean that the bucket fails, is denied or is gone. An absent
  /// object is a 404, too; the next probe tells them apart.
  private static boolean isFailure(int status) {
    return status >= SERVER_ERROR
        || status == UNAUTHORIZED
        || status == FORBIDDEN
        || status == NOT_FOUND;
  }

  private static long byteSize(SdkHttpHeaders request) {
    return request.firstMatchingHeader(CONTENT_LENGTH).map(Long::parseLong).orElse(0L);
  }

  @Override
  public String clientName() {
    return client.clientName();
  }

  @Override
  public void close() {
    client.close();
  }
}
