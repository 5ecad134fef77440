/// Connections and bodies: how a request body arrives, and how a response body is admitted, coded
/// and sent.
@NullMarked
package dev.quiver.server.transfer;

import org.jspecify.annotations.NullMarked;
