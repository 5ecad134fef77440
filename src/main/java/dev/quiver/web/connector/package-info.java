/// The connections of requests, by which the bytes of stored data go to the network without passing
/// through Tomcat's buffers.
@org.jspecify.annotations.NullMarked
package dev.quiver.web.connector;
