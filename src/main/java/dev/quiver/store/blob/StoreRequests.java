package dev.quiver.store.blob;

/// An observer of the requests to a store that is reached by HTTP. Called by many threads.
public interface StoreRequests {

  /// An observer that does nothing.
  StoreRequests NONE =
      new StoreRequests() {
        @Override
        public void responded(String method, int status, long nanos, long sent) {}

        @Override
        public void received(long byteCount) {}

        @Override
        public void cached(int present, int missing) {}
      };

  /// Takes note of a request whose response has begun, or that failed.
  ///
  /// @param status of the response, or 0 without one
  /// @param nanos until the head of the response
  /// @param sent the bytes of the request's body
  void responded(String method, int status, long nanos, long sent);

  /// Takes note of bytes that were read from the body of a response.
  void received(long byteCount);

  /// Takes note of a read by way of the local cache.
  ///
  /// @param present the number of chunks that the cache had
  /// @param missing the number of chunks that are fetched for it
  void cached(int present, int missing);
}
