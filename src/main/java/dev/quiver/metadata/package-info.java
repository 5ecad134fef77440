/// The FlatBuffers metadata of messages and footers as records. Reading is bounded and checks every
/// number.
@NullMarked
package dev.quiver.metadata;

import org.jspecify.annotations.NullMarked;
