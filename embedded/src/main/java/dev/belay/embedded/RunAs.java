package dev.belay.embedded;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives the server an effective user other than root, which PostgreSQL refuses.
 *
 * @param watchdog precedes the watchdog's command
 * @param server precedes the server's command, inside the watchdog
 * @param owner must own the files; null means the current user
 */
record RunAs(List<String> watchdog, List<String> server, @Nullable Owner owner) {
  private static final long PROBE_SECONDS_MAX = 10;
  private static final int NOBODY = 65_534;
  // Makes the kernel end the server after a killed watchdog, where supported.
  private static final List<String> DIE_WITH_PARENT = List.of("setpriv", "--pdeathsig", "QUIT");

  // An unmapped user namespace: still root for files, but not uid 0 for PostgreSQL.
  private static final List<String> UNSHARE = List.of("unshare", "-U");

  record Owner(int uid, int gid) {
    List<String> become() {
      return List.of("setpriv", "--reuid=" + uid, "--regid=" + gid, "--clear-groups");
    }
  }

  static RunAs choose(Path folder, Path postgres)
      throws IOException, InterruptedException, EmbeddedPostgresFailed {
    if (new UnixSystem().getUid() != 0) {
      RunAs bound = new RunAs(List.of(), DIE_WITH_PARENT, null);
      return bound.starts("true") ? bound : new RunAs(List.of(), List.of(), null);
    }
    for (RunAs candidate : forRoot(folder)) {
      if (candidate.reaches(folder, postgres)) {
        return candidate;
      }
    }
    throw new EmbeddedPostgresFailed(
        "PostgreSQL does not run as root, and no other user of this machine can be used for it:"
            + " neither `unshare -U` nor `setpriv` gave one that can write "
            + folder
            + " and run "
            + postgres
            + ". Choose folders that other users can reach (not below /root), start Belay as an"
            + " ordinary user, or use an external PostgreSQL by its URL.");
  }

  static boolean needsOtherUser() throws InterruptedException {
    return new UnixSystem().getUid() == 0 && !new RunAs(List.of(), UNSHARE, null).starts("true");
  }

  private static List<RunAs> forRoot(Path folder) throws IOException {
    int uid = (Integer) Files.getAttribute(folder, "unix:uid");
    int gid = (Integer) Files.getAttribute(folder, "unix:gid");
    List<RunAs> candidates = new ArrayList<>();
    if (uid == 0) {
      candidates.add(new RunAs(List.of(), joined(UNSHARE, DIE_WITH_PARENT), null));
      candidates.add(new RunAs(List.of(), UNSHARE, null));
    }
    Owner owner = uid == 0 ? new Owner(NOBODY, NOBODY) : new Owner(uid, gid);
    // The watchdog too, because only the same user may inspect the server's processes.
    candidates.add(new RunAs(owner.become(), DIE_WITH_PARENT, owner));
    candidates.add(new RunAs(owner.become(), List.of(), owner));
    return candidates;
  }

  private boolean reaches(Path folder, Path postgres) throws IOException, InterruptedException {
    Object before = Files.getAttribute(folder, "unix:uid");
    if (owner != null) {
      Files.setAttribute(folder, "unix:uid", owner.uid());
    }
    boolean reaches =
        starts(
            "sh",
            "-c",
            "test \"$(id -u)\" -ne 0 && test -x \"$1\" && test -w \"$2\"",
            "sh",
            postgres.toString(),
            folder.toString());
    if (!reaches) {
      Files.setAttribute(folder, "unix:uid", before);
    }
    return reaches;
  }

  private boolean starts(String... command) throws InterruptedException {
    List<String> words = joined(joined(watchdog, server), List.of(command));
    try {
      Process probe =
          new ProcessBuilder(words)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!probe.waitFor(PROBE_SECONDS_MAX, TimeUnit.SECONDS)) {
        probe.destroyForcibly();
        return false;
      }
      return probe.exitValue() == 0;
    } catch (IOException noSuchProgram) {
      return false;
    }
  }

  static <T> List<T> joined(List<T> first, List<T> second) {
    List<T> joined = new ArrayList<>(first);
    joined.addAll(second);
    return List.copyOf(joined);
  }
}
