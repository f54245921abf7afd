package dev.belay.agent.state;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files that only their owner can read: journal, logs, identity. */
public final class PrivateFile {
  private PrivateFile() {}

  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    return FileChannel.open(
        file,
        Set.of(options),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }
}
