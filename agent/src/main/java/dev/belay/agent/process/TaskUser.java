package dev.belay.agent.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The user that tasks run as, if it is not the agent's own. Only root can switch to one.
 *
 * @param gid its primary group; setpriv takes the others from the system
 */
public record TaskUser(String name, int uid, int gid, String home, String shell) {

  private static final int ROOT = 0;

  /** Unrelated services share this user, sometimes PostgreSQL among them. */
  private static final int NOBODY = 65_534;

  private static final long LOOKUP_SECONDS_MAX = 10;

  /** The user of this process. */
  public static int own() throws IOException {
    return uidOf(Path.of("/proc/self"));
  }

  /**
   * Finds the user with this name or number.
   *
   * @param notOwnerOf folders of a PostgreSQL: their owner could read the database
   * @return empty when this process is that user already
   * @throws IOException with a message for people, when tasks cannot or must not run as that user
   */
  public static Optional<TaskUser> choose(String wanted, List<Path> notOwnerOf) throws IOException {
    TaskUser user = find(wanted);
    int own = own();
    if (user.uid() == ROOT) {
      throw new IOException(
          "--task-user %s is root, which separates nothing. Name an ordinary user."
              .formatted(wanted));
    }
    if (user.uid() == own) {
      return Optional.empty();
    }
    if (own != ROOT) {
      throw new IOException(
          "only root can run tasks as another user (%s). Start this as root, or leave --task-user out."
              .formatted(wanted));
    }
    if (user.uid() == NOBODY) {
      throw new IOException(
          "--task-user %s is shared with services of this machine, PostgreSQL among them. Make a user for tasks, such as: useradd --system belay-task"
              .formatted(wanted));
    }
    for (Path folder : notOwnerOf) {
      if (Files.exists(folder) && uidOf(folder) == user.uid()) {
        throw runsPostgres(wanted, "owns its folder " + folder);
      }
    }
    if (runsPostgres(user.uid())) {
      throw runsPostgres(wanted, "runs it on this machine");
    }
    return Optional.of(user);
  }

  private static IOException runsPostgres(String wanted, String why) {
    return new IOException(
        "--task-user %s is the user of PostgreSQL (it %s): tasks could read the database. Name another user."
            .formatted(wanted, why));
  }

  private static boolean runsPostgres(int uid) throws IOException {
    try (DirectoryStream<Path> processes =
        Files.newDirectoryStream(
            Path.of("/proc"), entry -> Cookies.isNumber(entry.getFileName().toString()))) {
      for (Path process : processes) {
        if (isPostgresOf(process, uid)) {
          return true;
        }
      }
      return false;
    }
  }

  private static boolean isPostgresOf(Path process, int uid) {
    try {
      return Files.readString(process.resolve("comm")).strip().equals("postgres")
          && uidOf(process) == uid;
    } catch (IOException gone) {
      return false;
    }
  }

  private static int uidOf(Path file) throws IOException {
    return (Integer) Files.getAttribute(file, "unix:uid");
  }

  private static TaskUser find(String wanted) throws IOException {
    for (String line : lookUp(wanted)) {
      String[] fields = line.split(":", -1);
      if (fields.length >= 7 && (fields[0].equals(wanted) || fields[2].equals(wanted))) {
        return new TaskUser(
            fields[0],
            Integer.parseInt(fields[2]),
            Integer.parseInt(fields[3]),
            fields[5],
            fields[6].isEmpty() ? "/bin/sh" : fields[6]);
      }
    }
    throw new IOException(
        "there is no user %s on this machine. Make it, such as: useradd --system belay-task"
            .formatted(wanted));
  }

  /** Lines as in /etc/passwd; getent also knows users from directory services. */
  private static List<String> lookUp(String wanted) throws IOException {
    if (wanted.isEmpty() || wanted.startsWith("-") || wanted.indexOf('\0') >= 0) {
      throw new IOException("--task-user needs the name of a user");
    }
    Path said = Files.createTempFile("belay-user", ".txt");
    try {
      return getent(wanted, said);
    } finally {
      Files.deleteIfExists(said);
    }
  }

  /** Into a file: a directory service that hangs would keep a pipe open. */
  private static List<String> getent(String wanted, Path said) throws IOException {
    Process getent;
    try {
      getent =
          new ProcessBuilder("getent", "passwd", wanted)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectOutput(said.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException noGetent) {
      return Files.readAllLines(Path.of("/etc/passwd"));
    }
    try {
      if (getent.waitFor(LOOKUP_SECONDS_MAX, TimeUnit.SECONDS)) {
        return new String(Files.readAllBytes(said), UTF_8).lines().toList();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      getent.destroyForcibly();
    }
    throw new IOException(
        "the users of this machine cannot be asked for %s: `getent passwd %s` did not answer within %d s. Try the command by hand."
            .formatted(wanted, wanted, LOOKUP_SECONDS_MAX));
  }

  /** The setpriv arguments that switch from root to this user, with no way back. */
  List<String> become() {
    return List.of(
        "--reuid=" + uid,
        "--regid=" + gid,
        "--init-groups",
        "--inh-caps=-all",
        "--ambient-caps=-all",
        "--no-new-privs");
  }

  /** The variables that a login of this user would set. */
  Map<String, String> environment() {
    return Map.of("HOME", home, "USER", name, "LOGNAME", name, "SHELL", shell);
  }

  /**
   * Checks the file's own permissions, even if its folder is closed, and tries to read it, because
   * of the user's other groups.
   *
   * @param env of the agent, to find programs
   */
  public boolean isAmongReadersOf(Path file, Map<String, String> env) throws IOException {
    var permitted = Files.getPosixFilePermissions(file);
    boolean ofItsGroup = Files.getAttribute(file, "unix:gid").equals(gid);
    return uidOf(file) == uid
        || permitted.contains(PosixFilePermission.OTHERS_READ)
        || (ofItsGroup && permitted.contains(PosixFilePermission.GROUP_READ))
        || Launcher.canRead(this, file, env);
  }

  /**
   * An owner can change any permission.
   *
   * @throws IOException with a message for people, when this user owns the folder or something in
   *     it
   */
  void checkOwnsNothingIn(Path folder) throws IOException {
    checkIsNotOwnerOf(folder, folder);
    try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
      for (Path child : children) {
        checkIsNotOwnerOf(child, folder);
      }
    }
  }

  private void checkIsNotOwnerOf(Path file, Path folder) throws IOException {
    if (Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(uid)) {
      throw new IOException(
          "%s belongs to the user %s, as whom tasks run: they could read this agent's files. Run: chown -R root: %s"
              .formatted(file, name, folder));
    }
  }

  /** Changes the owner of a file or folder; does not follow links. */
  void own(Path file) throws IOException {
    Files.setAttribute(file, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(file, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
  }

  /** Lets the task reopen its output, as by /dev/stdout. The link in /proc is the kernel's. */
  void ownPipe(Path descriptor) throws IOException {
    Files.setAttribute(descriptor, "unix:uid", uid);
  }
}
