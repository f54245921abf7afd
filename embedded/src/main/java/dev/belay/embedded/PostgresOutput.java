package dev.belay.embedded;

import java.util.List;
import java.util.Map;

/**
 * The output of PostgreSQL or initdb before it failed, for people who look closer. The short
 * message for everyone else comes from it.
 */
final class PostgresOutput extends Exception {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_MAX_CHARS = 300;

  /** The first match decides. */
  private static final List<Map.Entry<String, String>> KNOWN =
      List.of(
          Map.entry("No space left on device", "the disk is full"),
          Map.entry("Disk quota exceeded", "the disk quota is used up"),
          Map.entry("Read-only file system", "the file system is read-only"),
          Map.entry(
              "cannot be run as root",
              "PostgreSQL does not run as root; run belay as another user"),
          Map.entry(
              "error while loading shared libraries",
              "a library that PostgreSQL needs is missing on this machine"),
          Map.entry("invalid locale", "the locale of this machine is not valid; set LC_ALL=C"),
          Map.entry("could not find suitable text search", "the locale of this machine is odd"),
          Map.entry("could not create shared memory segment", "no shared memory is left"),
          Map.entry("could not map anonymous shared memory", "not enough memory is free"),
          Map.entry("Cannot allocate memory", "not enough memory is free"),
          Map.entry("Permission denied", "permission to its folder is denied"),
          Map.entry("has wrong ownership", "its folder belongs to another user"),
          Map.entry("has invalid permissions", "its folder can be read by other users"),
          Map.entry("could not create any TCP/IP sockets", "its port is in use"));

  PostgresOutput(String text) {
    super(text);
  }

  /** A short message without a full stop. */
  String briefly() {
    String text = String.valueOf(getMessage());
    for (var known : KNOWN) {
      if (text.contains(known.getKey())) {
        return known.getValue();
      }
    }
    String last =
        text.lines()
            .filter(line -> line.matches(".*\\b(FATAL|PANIC|ERROR|error)\\b.*"))
            .reduce((first, second) -> second)
            .or(() -> text.lines().filter(line -> !line.isBlank()).reduce((a, b) -> b))
            .orElse("it said nothing")
            .strip();
    return last.length() <= SHOWN_MAX_CHARS ? last : last.substring(0, SHOWN_MAX_CHARS);
  }
}
