package dev.belay.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.stream.Stream;

/** A server's folder, locked by this JVM, with its files and their guarantees. */
final class DataFolder implements AutoCloseable {
  static final String VERSION = "18";
  private static final int PASSWORD_BYTES = 24;

  private final Path root;
  private final FolderLock lock;

  private DataFolder(Path root, FolderLock lock) {
    this.root = root;
    this.lock = lock;
  }

  static DataFolder open(EmbeddedSettings settings) throws EmbeddedPostgresFailed {
    Path wanted = settings.dataFolder();
    try {
      if (!Files.isDirectory(wanted)) {
        Files.createDirectories(wanted.toAbsolutePath().normalize().resolveSibling(""));
        Files.createDirectory(
            wanted,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      Path root = wanted.toRealPath();
      // The end of the server deletes the whole folder, so it must hold no other files.
      if (settings.ephemeral() && !empty(root)) {
        throw new EmbeddedPostgresFailed(
            "The data folder " + root + " of an ephemeral server is not empty. Use a new one.");
      }
      return new DataFolder(root, FolderLock.take(root));
    } catch (IOException failed) {
      throw new EmbeddedPostgresFailed(
          "The data folder "
              + wanted
              + " cannot be used ("
              + failed
              + "). Give it to this user, or choose another.",
          failed);
    }
  }

  private static boolean empty(Path folder) throws IOException {
    try (Stream<Path> children = Files.list(folder)) {
      return children.findAny().isEmpty();
    }
  }

  Path root() {
    return root;
  }

  /** PGDATA: complete if it exists, because initdb works on {@link #unfinishedCluster}. */
  Path cluster() {
    return root.resolve("data");
  }

  boolean hasData() {
    return Files.exists(cluster().resolve("PG_VERSION"));
  }

  Path unfinishedCluster() {
    return root.resolve("data.unfinished");
  }

  Path config() {
    return root.resolve("postgresql.conf");
  }

  Path password() {
    return root.resolve("password");
  }

  Path script() {
    return root.resolve("watchdog.sh");
  }

  Path log() {
    return root.resolve("server.log");
  }

  /** The permanent password of this folder, created before the cluster that uses it. */
  String password(SecureRandom random) throws IOException, EmbeddedPostgresFailed {
    if (Files.exists(password())) {
      return Files.readString(password()).strip();
    }
    if (Files.exists(cluster())) {
      throw new EmbeddedPostgresFailed(
          "The file " + password() + " is missing: put it back, the database needs it.");
    }
    byte[] bytes = new byte[PASSWORD_BYTES];
    random.nextBytes(bytes);
    write(password(), HexFormat.of().formatHex(bytes) + "\n");
    return Files.readString(password()).strip();
  }

  /** Replaces a file atomically; only its owner may read it. */
  void write(Path file, String content) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
    Files.deleteIfExists(unfinished);
    try (FileChannel channel =
        FileChannel.open(
            unfinished,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      channel.write(StandardCharsets.UTF_8.encode(content));
      channel.force(true);
    }
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Renames a finished cluster to its final name. */
  void adopt(Path finished) throws IOException {
    Files.move(finished, cluster(), StandardCopyOption.ATOMIC_MOVE);
    try (FileChannel folder = FileChannel.open(root, StandardOpenOption.READ)) {
      folder.force(true);
    }
  }

  void checkVersion() throws IOException, EmbeddedPostgresFailed {
    String found = Files.readString(cluster().resolve("PG_VERSION")).strip();
    if (!found.equals(VERSION)) {
      throw new EmbeddedPostgresFailed(
          "The data folder %s was made by PostgreSQL %s, and this Belay has PostgreSQL %s. Use the Belay that made it, or another folder."
              .formatted(root, found, VERSION));
    }
  }

  /** Gives the files to the server's user, which may differ from the JVM's. */
  void give(RunAs runAs) throws IOException {
    RunAs.Owner owner = runAs.owner();
    if (owner == null) {
      return;
    }
    try (Stream<Path> children = Files.list(root)) {
      for (Path child : (Iterable<Path>) children::iterator) {
        if (!Files.getAttribute(child, "unix:uid").equals(owner.uid())) {
          Trees.give(child, owner);
        }
      }
    }
  }

  void delete() throws IOException {
    Trees.delete(root);
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
