/// The Arrow format: streams and files of record batches, read, selected, validated and written.
///
/// [dev.quiver.arrow.Arrow] is where to start.
module dev.quiver.arrow {
  exports dev.quiver.arrow;
  exports dev.quiver.arrow.array;
  exports dev.quiver.arrow.memory;
  exports dev.quiver.arrow.type;
  exports dev.quiver.arrow.validate;

  requires com.github.luben.zstd_jni;
  requires flatbuffers.java;
  requires java.management;
  requires jdk.management;
  requires org.lz4.java;
  requires static jdk.incubator.vector;
  requires static org.jspecify;
}
