package dev.belay.agent.logs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.belay.domain.id.DispatchId;
import dev.belay.domain.id.TaskId;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of one log. Their names identify the log and their place in it, so a restarted agent
 * can ship it: {@code DISPATCH.TASK.log} is the beginning, {@code DISPATCH.TASK.OFFSET.tail} a
 * piece of the end, {@code DISPATCH.TASK.lost} the note of a log that was given up.
 */
record SpoolFiles(Path folder, DispatchId dispatch, TaskId task) {

  private static final Logger log = LoggerFactory.getLogger(SpoolFiles.class);
  private static final String HEAD = "log";
  private static final String TAIL = "tail";
  private static final String LOST = "lost";
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Set<StandardOpenOption> WRITING =
      Set.of(
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE,
          StandardOpenOption.TRUNCATE_EXISTING);

  /**
   * A piece of the end of a log.
   *
   * @param start its offset in the whole output
   */
  record Segment(Path file, long start, long length) {}

  /** A log that was given up, with the bytes that the server has and those that are lost. */
  record Lost(long kept, long missing, String why) {}

  private static final Lost DAMAGED = new Lost(0, 0, "the agent's note of it was damaged");

  /** The logs of earlier sessions, oldest first. Deletes other files if it can. */
  static Set<SpoolFiles> left(Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      files.forEach(found::add);
    }
    found.sort(Comparator.comparingLong((Path file) -> file.toFile().lastModified()));
    Set<SpoolFiles> logs = new LinkedHashSet<>();
    for (Path file : found) {
      of(file).ifPresentOrElse(logs::add, () -> delete(file));
    }
    return logs;
  }

  private static void delete(Path foreign) {
    try {
      Files.deleteIfExists(foreign);
    } catch (IOException e) {
      stays(foreign, e);
    }
  }

  static void stays(Path file, IOException cause) {
    log.atWarn()
        .addKeyValue("file", file)
        .addKeyValue("cause", cause)
        .log("this is no log that can be taken over; it stays");
  }

  private static Optional<SpoolFiles> of(Path file) {
    Path folder = file.getParent();
    String[] words = String.valueOf(file.getFileName()).split("\\.");
    boolean known =
        (words.length == 3 && (words[2].equals(HEAD) || words[2].equals(LOST)))
            || (words.length == 4 && words[3].equals(TAIL) && words[2].matches("[0-9]{1,18}"));
    if (!known || folder == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(new SpoolFiles(folder, DispatchId.of(words[0]), TaskId.of(words[1])));
    } catch (IllegalArgumentException foreign) {
      return Optional.empty();
    }
  }

  Path head() {
    return named(HEAD);
  }

  Path tail(long start) {
    return named("%018d.%s".formatted(start, TAIL));
  }

  private Path named(String end) {
    return folder.resolve(dispatch + "." + task + "." + end);
  }

  static FileChannel create(Path file) throws IOException {
    return FileChannel.open(file, WRITING, OWNER_ONLY);
  }

  long headLength() throws IOException {
    return Files.exists(head()) ? Files.size(head()) : 0;
  }

  /** The pieces of the end that exist, in order. */
  List<Segment> segments() throws IOException {
    var found = new ArrayList<Segment>();
    try (var files = Files.newDirectoryStream(folder, dispatch + "." + task + ".*." + TAIL)) {
      for (Path file : files) {
        String[] words = String.valueOf(file.getFileName()).split("\\.");
        found.add(new Segment(file, Long.parseLong(words[2]), Files.size(file)));
      }
    }
    found.sort(Comparator.comparingLong(Segment::start));
    return found;
  }

  void write(Lost lost) {
    try (FileChannel out = create(named(LOST))) {
      String text = lost.kept() + " " + lost.missing() + " " + lost.why();
      out.write(UTF_8.encode(text));
    } catch (IOException e) {
      log.atWarn().setCause(e).addKeyValue("dispatch", dispatch).log("lost log not noted");
    }
  }

  Optional<Lost> lost() throws IOException {
    if (!Files.exists(named(LOST))) {
      return Optional.empty();
    }
    String[] words = new String(Files.readAllBytes(named(LOST)), UTF_8).split(" ", 3);
    try {
      var lost = new Lost(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2]);
      return Optional.of(lost.kept() < 0 || lost.missing() < 0 ? DAMAGED : lost);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException damaged) {
      return Optional.of(DAMAGED);
    }
  }

  /** Deletes everything but the note of the loss. */
  void deleteData() {
    try {
      Files.deleteIfExists(head());
      for (Segment segment : segments()) {
        Files.deleteIfExists(segment.file());
      }
    } catch (IOException e) {
      log.atWarn().setCause(e).addKeyValue("dispatch", dispatch).log("log file stays");
    }
  }

  void deleteAll() {
    deleteData();
    try {
      Files.deleteIfExists(named(LOST));
    } catch (IOException e) {
      log.atWarn().setCause(e).addKeyValue("dispatch", dispatch).log("log file stays");
    }
  }
}
