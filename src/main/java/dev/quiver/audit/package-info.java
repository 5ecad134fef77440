/// The audit log: who wrote what, and who was refused.
@NullMarked
package dev.quiver.audit;

import org.jspecify.annotations.NullMarked;
