package dev.belay.agent.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Some bytes of a log, in the order in which the server gets them. */
sealed interface Part {

  long length();

  /** Fills the buffer, starting at this offset of the part. */
  void read(long offset, ByteBuffer into) throws IOException;

  /** In a file of at least this length. */
  record InFile(Path file, long length) implements Part {
    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
      int from = into.position();
      try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
        while (into.hasRemaining()) {
          if (in.read(into, offset + into.position() - from) < 0) {
            throw new IOException("the log file is shorter than it was");
          }
        }
      }
    }
  }

  /** A mark. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Text(byte[] bytes) implements Part {
    @Override
    public long length() {
      return bytes.length;
    }

    @Override
    public void read(long offset, ByteBuffer into) {
      into.put(bytes, (int) offset, into.remaining());
    }
  }

  /** The server has it; this agent has deleted it. */
  record Gone(long length) implements Part {
    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
      throw new IOException("this part of the log is not kept any more");
    }
  }
}
