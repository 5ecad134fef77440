package dev.quiver.server.write;

import dev.quiver.server.resource.Documents;
import dev.quiver.server.transfer.DecodedRequestBody;
import dev.quiver.store.version.WriteResult;
import java.io.IOException;

/// The responses to one upload that are those of a request that waits.
public interface UploadResponses {

  /// Responds to an upload that already happened, with the same idempotency key.
  ///
  /// @param received its data, which the caller closes
  void repeat(DecodedRequestBody body, FormUpload.Received received) throws IOException;

  /// Responds to an upload that has ended while its client waited.
  void send(WriteResult result, Documents.Version document) throws IOException;
}
