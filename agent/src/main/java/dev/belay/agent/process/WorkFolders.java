package dev.belay.agent.process;

import dev.belay.domain.id.DispatchId;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The private folder of each dispatch, created before its start and removed after its end. */
final class WorkFolders {

  private static final Logger log = LoggerFactory.getLogger(WorkFolders.class);

  private final Path root;
  private final int entriesMax;
  private final Optional<TaskUser> user;

  /**
   * @param user owns the folders; empty when tasks run as this process's user
   */
  WorkFolders(Path root, int entriesMax, Optional<TaskUser> user) {
    this.root = root;
    this.entriesMax = entriesMax;
    this.user = user;
  }

  Path create(DispatchId dispatch) throws IOException {
    Path folder = of(dispatch);
    if (Files.exists(folder)) {
      remove(folder);
    }
    return Files.createDirectory(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** Gives the folder and its content to the user that the task runs as. */
  void handOver(Path folder) throws IOException {
    if (user.isEmpty()) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        user.get().own(file);
      }
    }
    user.get().own(folder);
  }

  Path of(DispatchId dispatch) {
    return root.resolve(dispatch.toString());
  }

  /** Removes the folders of earlier sessions; call it before the first {@link #create}. */
  void removeLeftovers() {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(root)) {
      folders.forEach(this::remove);
    } catch (IOException e) {
      log.atWarn().setCause(e).log("leftover task folders stay");
    }
  }

  /** Never follows links. Files that it cannot remove stay until the agent's next start. */
  void remove(Path folder) {
    try {
      if (user.isPresent()) {
        ForeignFolder.remove(folder, entriesMax);
      } else {
        Files.walkFileTree(folder, new Removal());
      }
    } catch (IOException e) {
      if (!Files.exists(folder)) {
        return; // Another process removed it at the same time.
      }
      log.atWarn().setCause(e).addKeyValue("folder", folder.getFileName()).log("task folder stays");
    }
  }

  private final class Removal extends SimpleFileVisitor<Path> {
    private int entries;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return counted();
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      // The task may have locked us out of its folder. We own the folder, so take it back once.
      if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        throw failure;
      }
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
      try (DirectoryStream<Path> children = Files.newDirectoryStream(file)) {
        for (Path child : children) {
          Files.walkFileTree(child, this);
        }
      }
      Files.deleteIfExists(file);
      return counted();
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.deleteIfExists(dir);
      return counted();
    }

    private FileVisitResult counted() throws IOException {
      if (++entries > entriesMax) {
        throw new IOException("more than " + entriesMax + " files");
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
