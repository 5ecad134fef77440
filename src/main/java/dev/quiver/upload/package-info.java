/// Uploads that arrive in several requests: their states and parts in the store, which every
/// service that shares it reads and continues.
@NullMarked
package dev.quiver.upload;

import org.jspecify.annotations.NullMarked;
