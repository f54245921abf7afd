package dev.belay.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's programs, unpacked once per version of the archive in the jar.
 *
 * @param folder complete, because it got this name after the last file
 */
record ServerBinaries(Path folder) {
  private static final Logger log = LoggerFactory.getLogger(ServerBinaries.class);
  private static final Set<PosixFilePermission> REACHABLE =
      PosixFilePermissions.fromString("rwxr-xr-x");
  private static final String UNFINISHED = ".unfinished-";

  Path postgres() {
    return folder.resolve("bin/postgres");
  }

  Path initdb() {
    return folder.resolve("bin/initdb");
  }

  /** A fresh cluster with its password, copied for ephemeral servers. May be absent. */
  Path template() {
    return folder.resolve("template");
  }

  static ServerBinaries unpacked(Path binariesFolder) throws EmbeddedPostgresFailed {
    String archive = "postgres-" + system() + "-" + processor() + ".txz";
    URL url = ServerBinaries.class.getClassLoader().getResource(archive);
    if (url == null) {
      throw new EmbeddedPostgresFailed(
          "This Belay has no PostgreSQL for this machine ("
              + archive
              + " is not in the class path). Use an external PostgreSQL 15 or newer by its URL.");
    }
    try {
      makeReachable(binariesFolder);
      Path root = binariesFolder.toRealPath();
      Path folder = root.resolve(name(archive, url));
      if (!Files.isDirectory(folder)) {
        removeUnfinished(root);
        unpack(url, root, folder);
      }
      return new ServerBinaries(folder);
    } catch (IOException failed) {
      throw new EmbeddedPostgresFailed(
          "PostgreSQL could not be unpacked into "
              + binariesFolder
              + " ("
              + failed
              + "). Make that a writable folder with 100 MB of room, or choose another.",
          failed);
    }
  }

  private static String system() {
    String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    return name.startsWith("mac") ? "darwin" : name;
  }

  private static String processor() {
    return switch (System.getProperty("os.arch")) {
      case "amd64", "x86_64" -> "x86_64";
      case "aarch64", "arm64" -> "arm_64";
      case String other -> other;
    };
  }

  /** Names the archive's content by its entry in the jar's directory, without reading it. */
  private static String name(String archive, URL url) throws IOException {
    String name = archive.substring(0, archive.indexOf(".txz"));
    URLConnection connection = url.openConnection();
    if (connection instanceof JarURLConnection jar) {
      var entry = jar.getJarEntry();
      return "%s-%08x-%d".formatted(name, entry.getCrc(), entry.getSize());
    }
    return "%s-%d-%d"
        .formatted(name, connection.getLastModified(), connection.getContentLengthLong());
  }

  private static void unpack(URL url, Path root, Path folder) throws IOException {
    // The pid shows later starts whether its process still works there.
    Path unfinished =
        Files.createTempDirectory(root, UNFINISHED + ProcessHandle.current().pid() + "-");
    Files.setPosixFilePermissions(unfinished, REACHABLE);
    try (InputStream raw = url.openStream();
        var tar =
            new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(raw, 1 << 16)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        unpack(tar, entry, unfinished);
      }
      publish(unfinished, folder);
      log.atInfo().addKeyValue("folder", folder).log("PostgreSQL unpacked");
    } finally {
      Trees.delete(unfinished);
    }
  }

  /** A server that runs as another user must reach the programs, whatever the umask is. */
  private static void makeReachable(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Path parent = folder.toAbsolutePath().getParent();
      if (parent != null) {
        makeReachable(parent);
      }
      try {
        Files.createDirectory(folder);
        Files.setPosixFilePermissions(folder, REACHABLE);
      } catch (FileAlreadyExistsException faster) {
        // another process unpacks too
      }
    }
  }

  private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path root)
      throws IOException {
    Path path = root.resolve(entry.getName()).normalize();
    if (!path.startsWith(root)) {
      throw new IOException("The archive has an entry outside of its folder: " + entry.getName());
    }
    if (entry.isDirectory()) {
      makeReachable(path);
      return;
    }
    makeReachable(path.resolveSibling(""));
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
      return;
    }
    Files.copy(tar, path);
    boolean program = (entry.getMode() & 0100) != 0;
    Files.setPosixFilePermissions(
        path, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
  }

  /** If another process was faster, its folder is as good as ours. */
  static void publish(Path unfinished, Path complete) throws IOException {
    try {
      Files.move(unfinished, complete, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException lost) {
      if (!Files.isDirectory(complete)) {
        throw lost;
      }
    }
  }

  /** Removes leftovers of a process that was killed while it unpacked or made a template. */
  private static void removeUnfinished(Path folder) throws IOException {
    List<Path> leftovers;
    try (Stream<Path> children = Files.list(folder)) {
      leftovers = children.filter(ServerBinaries::abandoned).toList();
    }
    for (Path leftover : leftovers) {
      Trees.delete(leftover);
    }
  }

  private static boolean abandoned(Path path) {
    String name = String.valueOf(path.getFileName());
    if (!name.startsWith(UNFINISHED)) {
      return false;
    }
    String pid = name.substring(UNFINISHED.length()).replaceFirst("-.*", "");
    Optional<ProcessHandle> owner = ProcessHandle.of(Long.parseLong(pid));
    return owner.isEmpty() || !owner.get().isAlive();
  }

  /** Keeps a fresh cluster for later ephemeral servers. */
  void keepAsTemplate(Path cluster, Path password) throws IOException {
    Path unfinished =
        Files.createTempDirectory(
            folder.resolveSibling(""), UNFINISHED + ProcessHandle.current().pid() + "-");
    try {
      Files.copy(password, unfinished.resolve("password"));
      Trees.copy(cluster, unfinished.resolve("data"));
      publish(unfinished, template());
    } finally {
      Trees.delete(unfinished);
    }
  }
}
