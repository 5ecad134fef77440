/// A version and its manifest: names, the conditions that decide whether a write may happen,
/// remembered idempotency keys, the stored form of all of these, and damage to stored bytes.
@NullMarked
package dev.quiver.store.version;

import org.jspecify.annotations.NullMarked;
