package dev.belay.agent.process;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import org.jspecify.annotations.Nullable;

/**
 * Removes, as root, a folder that another user can write. Each step goes from an open folder to a
 * name in it, never through a path, so a link that replaces a folder meanwhile leads nowhere.
 *
 * <p>It moves a folder that lies too deep up into the task's folder. It removes as much as it can.
 */
final class ForeignFolder {

  /** Each level holds two descriptors. */
  private static final int DEPTH_MAX = 50;

  private final SecureDirectoryStream<Path> parent;
  private final Path name;
  private final int entriesMax;
  private int entries;
  private int removed;
  private @Nullable IOException firstFailure;

  private ForeignFolder(SecureDirectoryStream<Path> parent, Path name, int entriesMax) {
    this.parent = parent;
    this.name = name;
    this.entriesMax = entriesMax;
  }

  static void remove(Path folder, int entriesMax) throws IOException {
    // Also for leftovers: only a real folder is emptied.
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
      new ForeignFolder(stream, folder.getFileName(), entriesMax).remove();
    }
  }

  /** Repeats while that helps: it may have missed a moved folder, or its name was taken. */
  private void remove() throws IOException {
    int removedBefore;
    do {
      removedBefore = removed;
      firstFailure = null;
      removeOnce();
    } while (firstFailure != null && removed > removedBefore && entries < entriesMax);
    if (firstFailure != null) {
      throw firstFailure;
    }
  }

  private void removeOnce() {
    try {
      try (var top = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
        removeContent(top, top, 1);
      }
      parent.deleteDirectory(name);
    } catch (IOException e) {
      failed(e);
    }
  }

  private void removeContent(
      SecureDirectoryStream<Path> folder, SecureDirectoryStream<Path> top, int depth) {
    try {
      for (Path entry : folder) {
        if (entries == entriesMax) {
          failed(new IOException("more than " + entriesMax + " files"));
          return;
        }
        entries++;
        removeEntry(folder, entry.getFileName(), top, depth);
      }
    } catch (DirectoryIteratorException e) {
      failed(new IOException("cannot list a folder", e));
    }
  }

  private void removeEntry(
      SecureDirectoryStream<Path> folder, Path child, SecureDirectoryStream<Path> top, int depth) {
    try {
      if (!isFolder(folder, child)) {
        folder.deleteFile(child);
      } else if (depth == DEPTH_MAX) {
        folder.move(child, top, Path.of("belay-deep-" + entries));
      } else {
        try (var inner = folder.newDirectoryStream(child, LinkOption.NOFOLLOW_LINKS)) {
          removeContent(inner, top, depth + 1);
        }
        folder.deleteDirectory(child);
      }
      removed++;
    } catch (NoSuchFileException gone) {
      // Another process removed it at the same time.
    } catch (IOException e) {
      failed(e);
    }
  }

  private static boolean isFolder(SecureDirectoryStream<Path> folder, Path child)
      throws IOException {
    return folder
        .getFileAttributeView(child, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes()
        .isDirectory();
  }

  /** The other failures mostly follow from the first: a folder is not empty. */
  private void failed(IOException failure) {
    if (firstFailure == null) {
      firstFailure = failure;
    }
  }
}
