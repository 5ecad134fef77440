package dev.quiver.store.blob.folder;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests failures of the write-back; [SyncTest] tests that it happens.
class WriteBackTest {

  @TempDir private Path folder;

  /// A disk reports lost data only once, so the last sync must repeat the report.
  @Test
  void reportsAFailedBackgroundSyncAtTheEnd() throws IOException {
    FileChannel channel = channel();
    channel.close();
    WriteBack writeBack = new WriteBack(channel, /* enabled= */ true);
    writeBack.written(WriteBack.STEP_BYTE_SIZE - 1);
    assertThatCode(writeBack::end).doesNotThrowAnyException();
    writeBack.written(WriteBack.STEP_BYTE_SIZE);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(writeBack::end)
          .isInstanceOf(IOException.class)
          .hasMessage("Written data did not reach the disk")
          .hasCauseInstanceOf(ClosedChannelException.class);
    }
    assertThatThrownBy(() -> writeBack.written(2 * WriteBack.STEP_BYTE_SIZE))
        .isInstanceOf(IOException.class);
  }

  @Test
  void disabledWriteBackDoesNothing() throws IOException {
    FileChannel channel = channel();
    channel.close();
    WriteBack writeBack = new WriteBack(channel, /* enabled= */ false);
    writeBack.written(10 * WriteBack.STEP_BYTE_SIZE);
    assertThatCode(writeBack::end).doesNotThrowAnyException();
  }

  private FileChannel channel() throws IOException {
    return FileChannel.open(
        folder.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }
}
