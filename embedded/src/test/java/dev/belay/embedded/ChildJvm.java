package dev.belay.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A JVM that runs {@link ServerInChildJvm}. */
record ChildJvm(Process process, BufferedReader output) implements AutoCloseable {

  /** The address that a ready server prints. */
  record Ready(String jdbcUrl, String password, long pid) {
    Connection connect() throws SQLException {
      return DriverManager.getConnection(jdbcUrl, "belay", password);
    }
  }

  static ChildJvm start(Path data, Path binaries) throws IOException {
    return start(List.of(), System.getProperty("java.class.path"), data, binaries);
  }

  static ChildJvm startEphemeral(Path data, Path binaries) throws IOException {
    return start(List.of(), System.getProperty("java.class.path"), data, binaries, "ephemeral");
  }

  static ChildJvm start(
      List<String> prefix, String classPath, Path data, Path binaries, String... more)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.addAll(List.of(classPath, ServerInChildJvm.class.getName()));
    command.addAll(List.of(data.toString(), binaries.toString()));
    command.addAll(List.of(more));
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .directory(Path.of("/").toFile())
            .start();
    return new ChildJvm(process, process.inputReader(StandardCharsets.UTF_8));
  }

  Ready awaitReady() throws IOException {
    String[] words = awaitLine("ready").split(" ");
    return new Ready(words[1], words[2], Long.parseLong(words[3]));
  }

  String awaitLine(String firstWord) throws IOException {
    StringBuilder seen = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(firstWord)) {
        return line;
      }
      seen.append(line).append('\n');
    }
    throw new IOException("the child JVM ended and said: " + seen);
  }

  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** The process and all that use its data folder: postgres, initdb and watchdogs. */
  static List<ProcessHandle> processesOf(Path data) throws IOException {
    String root = data.toRealPath().toString();
    return ProcessHandle.allProcesses()
        .filter(each -> worksIn(each.pid(), root) && !isThisJvmsChild(each))
        .toList();
  }

  private static boolean isThisJvmsChild(ProcessHandle process) {
    return process.info().command().orElse("").endsWith("/java");
  }

  private static boolean worksIn(long pid, String root) {
    Path proc = Path.of("/proc/" + pid);
    try {
      String folder = Files.readSymbolicLink(proc.resolve("cwd")).toString();
      String words = Files.readString(proc.resolve("cmdline"), StandardCharsets.ISO_8859_1);
      return folder.startsWith(root) || words.contains(root);
    } catch (IOException gone) {
      return false;
    }
  }

  @Override
  public void close() {
    kill();
  }
}
