package dev.quiver.fuzz;

/// A hostile input and the expected response.
///
/// @param body the body of an upload
/// @param format `stream` or `file`
/// @param status the status of the response to the upload
/// @param detail a part of the problem's detail; empty if the upload is accepted
record Hostile(String name, byte[] body, String format, int status, String detail) {

  static Hostile accepted(String name, byte[] stream) {
    return new Hostile(name, stream, "stream", 201, "");
  }

  static Hostile rejected(String name, byte[] stream, int status, String detail) {
    return new Hostile(name, stream, "stream", status, detail);
  }

  Hostile asFile() {
    return new Hostile(name, body, "file", status, detail);
  }

  @Override
  public String toString() {
    return name;
  }
}
