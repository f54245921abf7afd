package dev.belay.cli.apply;

import dev.belay.cli.client.ConnectionFinder;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Map;

/** The folder of an export: one file for each workflow. */
record ExportFolder(Path folder, boolean force) {

  static final String SUFFIX = ".yaml";

  /**
   * Writes the files that are missing or, with force, that differ. Writes nothing when a file
   * differs and may not be replaced.
   *
   * @return how many were written
   */
  int write(Map<String, String> sources) throws CommandFailed {
    try {
      Files.createDirectories(folder);
      var missing = new ArrayList<String>();
      var differing = new ArrayList<String>();
      for (var source : sources.entrySet()) {
        var file = folder.resolve(source.getKey() + SUFFIX);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
          missing.add(source.getKey());
        } else if (!has(file, source.getValue())) {
          differing.add(source.getKey());
        }
      }
      if (!differing.isEmpty() && !force) {
        throw new CommandFailed(
            ExitCode.USAGE,
            "%s of %s would be replaced with another content; nothing was written. Name another folder, or add --force."
                .formatted(differing.size() == 1 ? "A file" : differing.size() + " files", folder),
            differing.stream().map(name -> folder.resolve(name + SUFFIX) + " differs").toList(),
            null);
      }
      missing.addAll(differing);
      for (var name : missing) {
        replace(folder.resolve(name + SUFFIX), sources.getOrDefault(name, ""));
      }
      return missing.size();
    } catch (IOException e) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "Cannot write to %s: %s. Name a folder that you may write to."
              .formatted(folder, ConnectionFinder.reason(e)),
          e);
    }
  }

  private static boolean has(Path file, String source) throws IOException {
    var bytes = source.getBytes(StandardCharsets.UTF_8);
    return Files.isRegularFile(file)
        && Files.size(file) == bytes.length
        && Arrays.equals(Files.readAllBytes(file), bytes);
  }

  /** Replaces a link itself, and never the file that it names. */
  private static void replace(Path file, String source) throws IOException {
    var whole = Files.createTempFile(file.getParent(), ".export", SUFFIX);
    try {
      Files.writeString(whole, source);
      Files.setPosixFilePermissions(
          whole, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(whole);
    }
  }
}
