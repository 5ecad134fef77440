/// Append-only logs: the states of jobs, the states and parts of resumable uploads, and the audit
/// log.
@NullMarked
package dev.quiver.store.log;

import org.jspecify.annotations.NullMarked;
