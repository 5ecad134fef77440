/// Writes: bodies, forms and statements as uploads, jobs, and the protocol of resumable uploads.
@NullMarked
package dev.quiver.server.write;

import org.jspecify.annotations.NullMarked;
