/// Writes: bodies, forms and statements as uploads, jobs, and the protocol of resumable uploads
/// with its offsets.
@NullMarked
package dev.quiver.server.write;

import org.jspecify.annotations.NullMarked;
