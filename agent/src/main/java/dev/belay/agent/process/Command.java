package dev.belay.agent.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.belay.protocol.agent.v1.Dispatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The argument list of a dispatch. It looks up the program beforehand, so a missing program is a
 * start failure and never looks like an exit code of the work.
 */
final class Command {

  private static final String SCRIPT_FILE = ".script";

  private Command() {}

  static List<String> of(Dispatch dispatch, Path folder, Map<String, String> env)
      throws CannotStart, IOException {
    List<String> argv =
        dispatch.getScript().isEmpty()
            ? dispatch.getArgvList()
            : forScript(dispatch.getScript(), folder);
    if (argv.isEmpty() || argv.getFirst().isEmpty()) {
      throw new CannotStart("the task has neither a command nor a script");
    }
    if (argv.stream().anyMatch(argument -> argument.indexOf('\0') >= 0)) {
      throw new CannotStart("the command contains a NUL character");
    }
    List<String> found = new ArrayList<>(argv);
    found.set(0, find(argv.getFirst(), folder, env));
    return found;
  }

  /**
   * Reads the {@code #!} line as the kernel does (interpreter, at most one argument) but starts the
   * interpreter directly: executing a freshly written file fails with "text file busy" if another
   * thread forks at that moment.
   */
  private static List<String> forScript(String script, Path folder) throws IOException {
    Path file = folder.resolve(SCRIPT_FILE);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.write(file, script.getBytes(UTF_8));
    String first = script.lines().findFirst().orElse("");
    String interpreter = first.startsWith("#!") ? first.substring(2).strip() : "";
    if (interpreter.isEmpty()) {
      return List.of("/bin/sh", "-e", file.toString());
    }
    String[] parts = interpreter.split("\\s+", 2);
    return parts.length == 1
        ? List.of(parts[0], file.toString())
        : List.of(parts[0], parts[1], file.toString());
  }

  private static String find(String program, Path folder, Map<String, String> env)
      throws CannotStart {
    if (program.contains("/")) {
      checkExecutable(program, folder.resolve(program));
      return program;
    }
    String path = env.getOrDefault("PATH", TaskEnvironment.DEFAULT_PATH);
    for (String place : path.split(":")) {
      Path candidate = folder.resolve(place).resolve(program);
      if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
        return candidate.toString();
      }
    }
    throw new CannotStart("command not found: " + program + " (PATH is " + path + ")");
  }

  private static void checkExecutable(String program, Path file) throws CannotStart {
    if (!Files.exists(file)) {
      throw new CannotStart("no such file: " + program);
    }
    if (!Files.isRegularFile(file)) {
      throw new CannotStart("not a file: " + program);
    }
    if (!Files.isExecutable(file)) {
      throw new CannotStart("not executable: " + program);
    }
  }
}
