/// A version and its stored form: names, conditions, results, manifests, sidecars, and damage to
/// stored bytes.
@NullMarked
package dev.quiver.store.version;

import org.jspecify.annotations.NullMarked;
