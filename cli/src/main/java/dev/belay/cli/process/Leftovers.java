package dev.belay.cli.process;

import dev.belay.cli.terminal.CommandFailed;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The folders of runs that were killed before they could remove them. */
final class Leftovers {

  /** A fresh folder is not locked yet. */
  private static final Duration UNLOCKED_MIN_AGE = Duration.ofMinutes(1);

  /** Removing takes time, and a person waits for the run. */
  private static final int REMOVED_MAX = 20;

  private Leftovers() {}

  /** Removes unused folders next to this one that have the same prefix and owner. */
  static void removeBeside(Path own, String prefix, Instant now) {
    try {
      var owner = Files.getOwner(own);
      for (var folder : siblings(own, prefix)) {
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
            && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(owner)) {
          removeUnused(folder, now);
        }
      }
    } catch (IOException e) {
      // Another run may be removing them, too; the next one gets the rest.
      return;
    }
  }

  private static List<Path> siblings(Path own, String prefix) throws IOException {
    try (var files = Files.newDirectoryStream(own.resolveSibling(""), prefix + "*")) {
      var found = new java.util.ArrayList<Path>();
      for (var file : files) {
        if (!file.equals(own) && found.size() < REMOVED_MAX) {
          found.add(file);
        }
      }
      return found;
    }
  }

  private static void removeUnused(Path folder, Instant now) throws IOException {
    if (!Files.exists(FolderOwner.file(folder))) {
      var changed = Files.getLastModifiedTime(folder).toInstant();
      if (changed.isBefore(now.minus(UNLOCKED_MIN_AGE))) {
        remove(folder);
      }
      return;
    }
    try (var _ = FolderOwner.take(folder)) {
      remove(folder);
    } catch (CommandFailed inUse) {
      return;
    }
  }

  /** Best effort: the rest is left to the cleanup of the temporary folder. */
  static void remove(Path folder) {
    try {
      Files.walkFileTree(folder, new Deletion());
    } catch (IOException e) {
      folder.toFile().deleteOnExit();
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
        throws IOException {
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
