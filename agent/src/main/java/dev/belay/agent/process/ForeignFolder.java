package dev.belay.agent.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;

/**
 * Removes a folder that another user writes, as root. Each step goes from an open folder to a name
 * in it, never by a path: a link that is put in the place of a folder meanwhile leads nowhere.
 */
final class ForeignFolder {

  /** Each level holds a descriptor. */
  private static final int DEPTH_MAX = 200;

  private final int entriesMax;
  private int entries;

  private ForeignFolder(int entriesMax) {
    this.entriesMax = entriesMax;
  }

  static void remove(Path folder, int entriesMax) throws IOException {
    // Also of leftovers: only a folder is emptied, whatever has its name.
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(folder);
      return;
    }
    Path parent = folder.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IOException("not a folder of a task: " + folder);
    }
    try (DirectoryStream<Path> opened = Files.newDirectoryStream(parent)) {
      if (!(opened instanceof SecureDirectoryStream<Path> stream)) {
        throw new IOException("this file system cannot remove folders safely");
      }
      new ForeignFolder(entriesMax).removeFolder(stream, folder.getFileName(), 1);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private void removeFolder(SecureDirectoryStream<Path> parent, Path name, int depth)
      throws IOException {
    if (depth > DEPTH_MAX) {
      throw new IOException("more than " + DEPTH_MAX + " levels of folders");
    }
    try (var folder = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      for (Path entry : folder) {
        if (++entries > entriesMax) {
          throw new IOException("more than " + entriesMax + " files");
        }
        Path child = entry.getFileName();
        boolean isFolder =
            folder
                .getFileAttributeView(
                    child, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
        if (isFolder) {
          removeFolder(folder, child, depth + 1);
        } else {
          folder.deleteFile(child);
        }
      }
    }
    parent.deleteDirectory(name);
  }
}
