package dev.quiver.server;

import org.junit.jupiter.api.Tag;
import org.springframework.test.context.TestPropertySource;

/// Transfers with `quiver.sendfile=false`: bodies pass through Tomcat.
@TestPropertySource(properties = "quiver.sendfile=false")
@Tag("long")
class TransferWithoutSendfileTest extends TransferContract {

  @Override
  boolean direct() {
    return false;
  }
}
