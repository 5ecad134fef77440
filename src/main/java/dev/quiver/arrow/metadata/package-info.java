/// FlatBuffers metadata to and from records, bounded and verified, with a reader and a writer for
/// each table of the format.
@NullMarked
package dev.quiver.arrow.metadata;

import org.jspecify.annotations.NullMarked;
