package dev.belay.cli.process;

import dev.belay.cli.client.DataFolders;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * Lets PostgreSQL pass to its folders when this process is root and PostgreSQL runs as another
 * user. That user can neither list a passable folder nor read other files in it.
 */
final class FolderAccess {

  private static final String PASS = "rwx--x--x";
  private static final String PRIVATE_FOLDER = "rwx------";
  private static final String PRIVATE_FILE = "rw-------";

  private FolderAccess() {}

  /** Makes a data folder passable; all but PostgreSQL's folders in it become private first. */
  static void open(Path folder) throws IOException, CommandFailed {
    var closed = closedParent(folder);
    if (closed.isPresent()) {
      throw new CommandFailed(
          ExitCode.UNREACHABLE,
          "PostgreSQL does not run as root. Here it would run as the user nobody, who cannot pass %s to reach %s. Run `export BELAY_HOME=/var/lib/belay` and try again (with `belay run`, set TMPDIR to a folder like /tmp), or start Belay as an ordinary user."
              .formatted(closed.get(), folder));
    }
    letThrough(folder);
  }

  /** Makes only the folder itself passable, for users that can pass its parents. */
  static void letThrough(Path folder) throws IOException {
    for (String name : new String[] {"logs", "worker"}) {
      DataFolders.prepare(folder.resolve(name));
    }
    try (var children = Files.newDirectoryStream(folder)) {
      for (var child : children) {
        if (Files.isRegularFile(child, LinkOption.NOFOLLOW_LINKS)) {
          permit(child, PRIVATE_FILE);
        } else if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)
            && !child.getFileName().toString().startsWith("postgres")) {
          permit(child, PRIVATE_FOLDER);
        }
      }
    }
    permit(folder, PASS);
  }

  /** A passable folder for the binaries, which must belong to root. */
  static Path binaries(Path wanted, Path temporary) throws IOException {
    if (closedParent(wanted).isEmpty()) {
      return wanted;
    }
    var folder = temporary.resolve("belay-root-postgres");
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PASS)));
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
        || !Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(0)) {
      throw new IOException(folder + " does not belong to root; remove it");
    }
    permit(folder, PASS);
    return folder.resolve("binaries");
  }

  private static Optional<Path> closedParent(Path path) throws IOException {
    for (var each = path.toAbsolutePath().getParent(); each != null; each = each.getParent()) {
      if (Files.exists(each)
          && !Files.getPosixFilePermissions(each).contains(PosixFilePermission.OTHERS_EXECUTE)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  private static void permit(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }
}
