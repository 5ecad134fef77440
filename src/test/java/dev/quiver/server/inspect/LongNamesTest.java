package dev.quiver.server.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests a struct with a very long name and very many children. A report needs memory for the sum
/// of both, not for the product.
class LongNamesTest {

  private static final int NAME_LENGTH = 1 << 20;
  private static final int CHILD_COUNT = 2_000;

  @TempDir private Path folder;

  @BeforeEach
  void loadClasses() throws IOException {
    inspect(stream("p", 1));
  }

  @Test
  void doesNotCopyTheNameOfAParentForEachChild() throws IOException {
    Bytes stream = stream("p".repeat(NAME_LENGTH), CHILD_COUNT);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    Inspected inspected = inspect(stream);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(128L << 20);

    assertThat(inspected.findings()).isEmpty();
    assertThat(inspected.messages().get(1).get("nodes").get(CHILD_COUNT).get("path").asString())
        .isEqualTo("…" + "p".repeat(994) + ".child");
  }

  private Inspected inspect(Bytes stream) throws IOException {
    return Inspected.of(stream.segment(), folder);
  }

  /// Returns a stream of a batch without rows, whose struct has this name.
  private static Bytes stream(String name, int childCount) throws IOException {
    Field child = Field.of("child", true, new ArrowType.Null());
    Field[] children = Collections.nCopies(childCount, child).toArray(Field[]::new);
    Bytes bytes = new Bytes();
    MessageWriter writer = new MessageWriter(bytes);
    writer.writeSchema(Schema.of(Field.of(name, true, new ArrowType.Struct(), children)));
    List<FieldNode> nodes = Collections.nCopies(1 + childCount, new FieldNode(0, 0));
    writer.write(
        new RecordBatchHeader(0, nodes, List.of(new Buffer(0, 0)), null, List.of()),
        Metadata.EMPTY,
        0);
    writer.writeEndOfStream();
    return bytes;
  }
}
