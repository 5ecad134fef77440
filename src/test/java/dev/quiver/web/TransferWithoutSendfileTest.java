package dev.quiver.web;

import org.springframework.test.context.TestPropertySource;

/// Where the operating system is not to move files.
@TestPropertySource(properties = "quiver.sendfile=false")
class TransferWithoutSendfileTest extends TransferContract {

  @Override
  boolean direct() {
    return false;
  }
}
