package dev.belay.embedded;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Copies, deletes and changes the owner of whole folders. Never follows symbolic links. */
final class Trees {
  private Trees() {}

  /** Copies content and permissions, not the owner. */
  static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(folder, to.resolve(from.relativize(folder)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(file, to.resolve(from.relativize(file)));
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Deletes the folder; files that another process deletes meanwhile are no error. */
  static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException why) throws IOException {
            if (why instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw why;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path each, @Nullable IOException why)
              throws IOException {
            Files.deleteIfExists(each);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  static void give(Path root, RunAs.Owner owner) throws IOException {
    try (var paths = Files.walk(root)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        for (var id : Map.of("unix:uid", owner.uid(), "unix:gid", owner.gid()).entrySet()) {
          Files.setAttribute(path, id.getKey(), id.getValue(), LinkOption.NOFOLLOW_LINKS);
        }
      }
    }
  }
}
