package dev.quiver.fuzz;

/// An input made to hurt, and what it gets.
///
/// @param body of an upload
/// @param format `stream` or `file`
/// @param status of the answer to the upload
/// @param sentence how the problem's detail starts; empty when the upload is taken
record Hostile(String name, byte[] body, String format, int status, String sentence) {

  static Hostile taken(String name, byte[] stream) {
    return new Hostile(name, stream, "stream", 201, "");
  }

  static Hostile refused(String name, byte[] stream, int status, String sentence) {
    return new Hostile(name, stream, "stream", status, sentence);
  }

  Hostile asFile() {
    return new Hostile(name, body, "file", status, sentence);
  }

  @Override
  public String toString() {
    return name;
  }
}
