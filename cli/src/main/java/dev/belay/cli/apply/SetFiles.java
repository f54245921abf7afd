package dev.belay.cli.apply;

import dev.belay.cli.client.ConnectionFinder;
import dev.belay.cli.command.TextFile;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Style;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The files of a set: those that a person named, and the {@code *.yaml} and {@code *.yml} in the
 * folders that a person named, at any depth. Links are followed. Each real file and folder is read
 * once, so links that lead back end the search. Hidden files and folders are skipped.
 */
final class SetFiles {

  private static final int ENTRIES_MAX = 100_000;

  /** No server takes more. */
  private static final long CHARS_MAX = 256L << 20;

  private final Set<Path> seen = new HashSet<>();
  private final List<SetFile> files = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private int entries;
  private long chars;

  /**
   * @param name as a person knows it
   */
  record SetFile(String name, String text) {}

  private SetFiles() {}

  /** Fails with all problems when a file cannot be read, and when there is no file. */
  static List<SetFile> read(List<Path> paths) throws CommandFailed {
    var set = new SetFiles();
    for (var path : paths) {
      if (Files.isDirectory(path)) {
        set.folder(path);
      } else {
        set.file(path);
      }
    }
    if (!set.problems.isEmpty()) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "%s cannot be read; nothing was applied. Correct or remove %s."
              .formatted(
                  set.problems.size() == 1 ? "1 file" : set.problems.size() + " files",
                  set.problems.size() == 1 ? "it" : "them"),
          set.problems,
          null);
    }
    if (set.files.isEmpty()) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "There is no *.yaml or *.yml file in %s; nothing was applied."
              .formatted(String.join(", ", paths.stream().map(Path::toString).toList())));
    }
    return set.files;
  }

  private void folder(Path folder) throws CommandFailed {
    try {
      if (!seen.add(folder.toRealPath())) {
        return;
      }
      for (var child : children(folder)) {
        if (Files.isDirectory(child)) {
          folder(child);
        } else if (isYaml(child)) {
          file(child);
        }
      }
    } catch (IOException e) {
      problem(folder, ConnectionFinder.reason(e));
    }
  }

  private List<Path> children(Path folder) throws IOException, CommandFailed {
    var children = new ArrayList<Path>();
    try (var listed = Files.newDirectoryStream(folder)) {
      for (var child : listed) {
        if (++entries > ENTRIES_MAX) {
          throw new CommandFailed(
              ExitCode.USAGE,
              "There are more than %,d files at %s; nothing was applied. Name a folder of workflows."
                  .formatted(ENTRIES_MAX, folder));
        }
        if (!name(child).startsWith(".")) {
          children.add(child);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    children.sort(null);
    return children;
  }

  private static boolean isYaml(Path file) {
    return name(file).endsWith(".yaml") || name(file).endsWith(".yml");
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private void file(Path file) throws CommandFailed {
    try {
      if (!seen.add(file.toRealPath())) {
        return;
      }
      // A pipe would never end.
      if (!Files.isRegularFile(file)) {
        problem(file, "it is not a regular file");
        return;
      }
      var text = TextFile.read(file);
      chars += text.length();
      files.add(new SetFile(file.toString(), text));
    } catch (IOException e) {
      problem(file, ConnectionFinder.reason(e));
    } catch (CommandFailed e) {
      problems.add(Style.clean(e.getMessage()));
    }
    if (chars > CHARS_MAX) {
      throw tooLarge(files.size(), chars, file);
    }
  }

  private void problem(Path file, String why) {
    problems.add(Style.clean("Cannot read %s: %s.".formatted(file, why)));
  }

  private static CommandFailed tooLarge(int files, long chars, Path at) {
    return new CommandFailed(
        ExitCode.USAGE,
        "The set has %,d MB in %,d files at %s, more than any server takes; nothing was applied. Name"
                .formatted(chars >> 20, files, at)
            + " a folder of workflows.");
  }
}
