package dev.belay.cli.client;

import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where lite keeps its data and commands look for it: {@code $BELAY_HOME}, else {@code
 * ~/.belay/lite}, else, when the home folder is not writable, a private folder of this user among
 * the temporary files.
 */
public final class DataFolders {

  private final CommandContext surroundings;

  public DataFolders(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  /** In order of preference. */
  public List<Path> candidates() {
    String chosen = surroundings.variable("BELAY_HOME");
    if (chosen != null) {
      return List.of(Path.of(chosen).toAbsolutePath().normalize());
    }
    var candidates = new ArrayList<Path>();
    var home = surroundings.home();
    if (home != null) {
      candidates.add(home.resolve(".belay").resolve("lite"));
    }
    String user = System.getProperty("user.name", "user").replaceAll("[^A-Za-z0-9._-]", "_");
    candidates.add(temporary().resolve("belay-" + user).resolve("lite"));
    return candidates;
  }

  /** The folder for temporary files; the variable wins, as in other programs. */
  public Path temporary() {
    String chosen = surroundings.variable("TMPDIR");
    return Path.of(chosen == null ? System.getProperty("java.io.tmpdir") : chosen);
  }

  /** The first candidate that this user can write and no other user owns; created if missing. */
  public Optional<Path> writable() {
    return candidates().stream().filter(DataFolders::prepare).findFirst();
  }

  /**
   * Where PostgreSQL's binaries are unpacked once for every lite and run of this user; empty when
   * no such place is writable.
   */
  public Optional<Path> binaries() {
    boolean chosen = surroundings.variable("BELAY_HOME") != null;
    return candidates().stream()
        .map(folder -> chosen ? folder : folder.getParent())
        .filter(folder -> folder != null && prepare(folder))
        .map(folder -> folder.resolve("postgres-binaries"))
        .findFirst();
  }

  /** The folder of --dir, created if missing. */
  public static Path require(Path chosen) throws CommandFailed {
    var folder = chosen.toAbsolutePath().normalize();
    if (!prepare(folder)) {
      throw new CommandFailed(
          ExitCode.UNREACHABLE,
          "The folder %s cannot be written. Choose another with --dir.".formatted(folder));
    }
    return folder;
  }

  /** Makes the folder private to its owner; false if that fails. */
  public static boolean prepare(Path folder) {
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      return Files.isWritable(folder) && ownedByThisUser(folder);
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether to trust the folder's content: another user could have put it there. */
  static boolean ownedByThisUser(Path folder) throws IOException {
    var owner = Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).getName();
    var user = System.getProperty("user.name", "");
    return owner.equals(user) || owner.equals("root") || user.equals("root") || user.equals("?");
  }
}
