package dev.belay.agent.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.SessionId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/** The marks in a task's environment, and the search for processes that carry them. */
final class Cookies {

  static final String SESSION = "BELAY_AGENT_SESSION";
  static final String DISPATCH = "BELAY_DISPATCH_ID";

  private static final Path PROC = Path.of("/proc");
  private static final int UUID_LENGTH = 36;
  private static final int EXEC_LOOKS = 5;
  private static final Duration EXEC_PAUSE = Duration.ofMillis(2);

  private Cookies() {}

  /** The pids of all processes whose session and dispatch cookie match. */
  static List<Long> find(BiPredicate<SessionId, DispatchId> wanted) {
    List<Long> found = new ArrayList<>();
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(PROC, entry -> isNumber(entry.getFileName().toString()))) {
      for (Path entry : entries) {
        String environ = environ(entry);
        Optional<SessionId> session = value(environ, SESSION).map(SessionId::of);
        Optional<DispatchId> dispatch = value(environ, DISPATCH).map(DispatchId::of);
        if (session.isPresent()
            && dispatch.isPresent()
            && wanted.test(session.get(), dispatch.get())) {
          found.add(Long.parseLong(entry.getFileName().toString()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read /proc", e);
    }
    return found;
  }

  /** Whether any process has a matching text in this file of its /proc folder. */
  static boolean anyProcess(String file, Predicate<String> wanted) {
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(PROC, entry -> isNumber(entry.getFileName().toString()))) {
      for (Path entry : entries) {
        if (wanted.test(text(entry, file))) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read /proc", e);
    }
  }

  /**
   * The environment of a process that is replacing its program (exec) is empty for a moment:
   * without a second look, a scan would miss it.
   */
  private static String environ(Path process) {
    String environ = text(process, "environ");
    for (int look = 0; environ.isEmpty() && look < EXEC_LOOKS && hasProgram(process); look++) {
      LockSupport.parkNanos(EXEC_PAUSE.toNanos());
      environ = text(process, "environ");
    }
    return environ;
  }

  /** Threads of the kernel, and processes that have ended, have none. */
  private static boolean hasProgram(Path process) {
    try {
      return !Files.readSymbolicLink(process.resolve("exe")).toString().isEmpty();
    } catch (IOException none) {
      return false;
    }
  }

  private static String text(Path process, String file) {
    try (InputStream in = Files.newInputStream(process.resolve(file))) {
      return new String(in.readAllBytes(), ISO_8859_1);
    } catch (IOException gone) {
      // It has ended, or belongs to another user and so is not ours.
      return "";
    }
  }

  private static Optional<String> value(String environ, String name) {
    String mark = name + "=";
    int at = environ.startsWith(mark) ? 0 : environ.indexOf("\0" + mark) + 1;
    if (at == 0 && !environ.startsWith(mark)) {
      return Optional.empty();
    }
    int from = at + mark.length();
    int to = environ.indexOf('\0', from);
    return to - from == UUID_LENGTH ? uuid(environ.substring(from, to)) : Optional.empty();
  }

  private static Optional<String> uuid(String text) {
    for (int i = 0; i < text.length(); i++) {
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash ? text.charAt(i) != '-' : Character.digit(text.charAt(i), 16) < 0) {
        return Optional.empty();
      }
    }
    return Optional.of(text);
  }

  static boolean isNumber(String name) {
    return name.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
