/// Connections and bodies: how a request body arrives, and how a representation is sent, ranged,
/// coded and admitted.
@NullMarked
package dev.quiver.server.transfer;

import org.jspecify.annotations.NullMarked;
