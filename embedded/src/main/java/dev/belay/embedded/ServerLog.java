package dev.belay.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The server's log file. The server's processes append to one open file (O_APPEND), so the bound
 * works by copying and truncating it; lines written in between are lost.
 */
record ServerLog(Path file, long bytesMax) {
  private static final int TAIL_BYTES_MAX = 4_000;

  void trim() throws IOException {
    if (!Files.exists(file) || Files.size(file) <= bytesMax) {
      return;
    }
    Files.copy(file, file.resolveSibling("server.log.1"), StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
  }

  /** The text since {@code position}, at most the last few kilobytes. */
  String tail(long position) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long start = Math.max(position, channel.size() - TAIL_BYTES_MAX);
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.max(0, channel.size() - start));
      channel.read(bytes, start);
      return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
    } catch (IOException unreadable) {
      return "(its log " + file + " cannot be read: " + unreadable.getMessage() + ")";
    }
  }

  long size() {
    try {
      return Files.size(file);
    } catch (IOException absent) {
      return 0;
    }
  }
}
