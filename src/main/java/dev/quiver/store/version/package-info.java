/// A version and its manifest: names, conditions of writes, remembered keys, the stored form of all
/// of these, and damage to stored bytes.
@NullMarked
package dev.quiver.store.version;

import org.jspecify.annotations.NullMarked;
