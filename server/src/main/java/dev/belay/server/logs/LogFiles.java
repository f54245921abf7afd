package dev.belay.server.logs;

import dev.belay.domain.id.DispatchId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;

/** The paths of logs, built only from dispatch ids. */
record LogFiles(Path folder) {

  private static final String COMPLETE = ".log";
  private static final String UNFINISHED = ".part";

  Path part(DispatchId dispatch) {
    return day(dispatch).resolve(dispatch.value() + UNFINISHED);
  }

  Path complete(DispatchId dispatch) {
    return day(dispatch).resolve(dispatch.value() + COMPLETE);
  }

  /** Holds the number of bytes that the worker left out of this log. */
  Path leftOut(DispatchId dispatch) {
    return day(dispatch).resolve(dispatch.value() + ".left-out");
  }

  Path day(DispatchId dispatch) {
    return folder.resolve(LocalDate.ofInstant(madeAt(dispatch), ZoneOffset.UTC).toString());
  }

  static Instant madeAt(DispatchId dispatch) {
    return Instant.ofEpochMilli(dispatch.value().getMostSignificantBits() >>> 16);
  }

  static DispatchId dispatchOf(Path log) {
    return DispatchId.of(idOf(log));
  }

  static boolean isComplete(Path log) {
    return log.getFileName().toString().endsWith(COMPLETE);
  }

  /** All logs, complete or not, ordered by dispatch time, with which their names begin. */
  static List<Path> logs(Path day) throws IOException {
    try (var files = Files.list(day)) {
      return files
          .filter(file -> isComplete(file) || file.getFileName().toString().endsWith(UNFINISHED))
          .filter(file -> isId(idOf(file)))
          .sorted(Comparator.comparing(Path::getFileName))
          .toList();
    }
  }

  private static String idOf(Path log) {
    var name = log.getFileName().toString();
    return name.substring(0, name.lastIndexOf('.'));
  }

  private static boolean isId(String name) {
    try {
      return DispatchId.of(name).toString().equals(name);
    } catch (IllegalArgumentException foreign) {
      return false;
    }
  }

  List<Path> days() throws IOException {
    try (var days = Files.list(folder)) {
      return days.filter(Files::isDirectory).filter(LogFiles::isDay).sorted().toList();
    }
  }

  private static boolean isDay(Path path) {
    try {
      LocalDate.parse(path.getFileName().toString());
      return true;
    } catch (DateTimeParseException foreign) {
      return false;
    }
  }

  static long lengthOr(Path file, long otherwise) {
    try {
      return Files.size(file);
    } catch (IOException unknown) {
      return otherwise;
    }
  }
}
