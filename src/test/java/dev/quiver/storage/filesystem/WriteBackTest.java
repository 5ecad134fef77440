package dev.quiver.storage.filesystem;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// That it happens at all is in [SyncTest].
class WriteBackTest {

  @TempDir private Path folder;

  /// A disk tells once that something did not get onto it: whoever asks last must hear of it.
  @Test
  void whatFailsInTheBackgroundFailsInTheEnd() throws IOException {
    FileChannel channel = channel();
    channel.close();
    WriteBack writeBack = new WriteBack(channel, /* enabled= */ true);
    writeBack.written(WriteBack.STEP_BYTE_SIZE - 1);
    assertThatCode(writeBack::end).doesNotThrowAnyException();
    writeBack.written(WriteBack.STEP_BYTE_SIZE);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(writeBack::end)
          .isInstanceOf(IOException.class)
          .hasMessage("What was written did not get onto the disk")
          .hasCauseInstanceOf(ClosedChannelException.class);
    }
    assertThatThrownBy(() -> writeBack.written(2 * WriteBack.STEP_BYTE_SIZE))
        .isInstanceOf(IOException.class);
  }

  @Test
  void nothingHappensUnlessWanted() throws IOException {
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
