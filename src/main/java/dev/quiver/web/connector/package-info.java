/// Direct access to the connections of requests, past Tomcat's buffers.
@org.jspecify.annotations.NullMarked
package dev.quiver.web.connector;
