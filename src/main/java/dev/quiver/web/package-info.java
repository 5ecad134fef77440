/// Controllers of the HTTP interface that are not about one dataset or a statement, the mapping of
/// exceptions to problems, and the configuration of Spring MVC and Tomcat.
@NullMarked
package dev.quiver.web;

import org.jspecify.annotations.NullMarked;
