/// Every key below `quiver`; the only package that knows one.
@NullMarked
package dev.quiver.config;

import org.jspecify.annotations.NullMarked;
