package dev.quiver.web;

import org.springframework.test.context.TestPropertySource;

/// Where Tomcat would code what a client takes coded, which only Tomcat knows.
@TestPropertySource(properties = "server.compression.enabled=true")
class TransferCompressedTest extends TransferContract {

  @Override
  boolean direct() {
    return false;
  }
}
