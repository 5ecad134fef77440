/// Every key below `quiver`. The packages below this one know no keys.
@NullMarked
package dev.quiver.config;

import org.jspecify.annotations.NullMarked;
