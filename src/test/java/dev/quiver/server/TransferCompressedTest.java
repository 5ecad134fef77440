package dev.quiver.server;

import org.springframework.test.context.TestPropertySource;

/// Transfers with Tomcat's compression: bodies pass through Tomcat, which decides what to compress.
@TestPropertySource(properties = "server.compression.enabled=true")
class TransferCompressedTest extends TransferContract {

  @Override
  boolean direct() {
    return false;
  }
}
