/// The FlatBuffers metadata of messages and footers, to and from records. Reading is bounded and
/// checks every number where it is read.
@NullMarked
package dev.quiver.metadata;

import org.jspecify.annotations.NullMarked;
