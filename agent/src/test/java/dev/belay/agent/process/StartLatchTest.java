package dev.belay.agent.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class StartLatchTest {

  private static final List<String> SHOW_ENVIRONMENT = List.of("/bin/cat", "/proc/self/environ");

  /** The common kinds of /bin/sh; the tests use those that this machine has. */
  static List<List<String>> shells() {
    return Stream.of(
            List.of("/bin/sh"),
            List.of("/bin/dash"),
            List.of("/bin/bash", "--posix"),
            List.of("/bin/busybox", "sh"))
        .filter(words -> Files.isExecutable(Path.of(words.getFirst())))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("shells")
  void values_reach_the_command_as_they_are(List<String> shell) throws Exception {
    var env = new LinkedHashMap<String, String>();
    env.put("PATH", "/nowhere:%builtin");
    env.put("EMPTY", "");
    env.put("LINES", "one\ntwo\n\n");
    env.put("QUOTED", "'\"`$(touch /tmp/belay-was-here)`\\ ${PATH} $((1+1)) ; exit 9 #");
    env.put("SPACES", "  a  *  ~  ");
    env.put("EQUALS", "=a=b+=");
    env.put("ALL", allCharacters());
    env.put("LONG", "x".repeat(100_000));
    env.put("IFS", "BELAY_ENV_0123456789");
    env.put("ENV", "/nowhere");
    env.put("BASH_ENV", "/nowhere");
    env.put("PS4", "$(exit 9)");
    env.put("go", "mine");
    env.put("LC_ALL", "no_SUCH.UTF-8");
    env.put("_x9", "underscore");
    assertThat(environmentBehindLatch(shell, env))
        .containsAllEntriesOf(environmentWithoutLatch(env));
  }

  @ParameterizedTest
  @MethodSource("shells")
  void nothing_of_the_gate_stays_in_the_environment(List<String> shell) throws Exception {
    assertThat(environmentBehindLatch(shell, Map.of("A", "1", "B", "2")).keySet())
        .contains("A", "B")
        .noneMatch(name -> name.startsWith("BELAY_"));
  }

  @ParameterizedTest
  @MethodSource("shells")
  void name_that_the_shell_keeps_for_itself_does_not_keep_the_task_from_starting(List<String> shell)
      throws Exception {
    var env = new LinkedHashMap<String, String>();
    for (String name : List.of("UID", "EUID", "PPID", "SHELLOPTS", "BASHOPTS", "OPTIND")) {
      env.put(name, "x");
    }
    env.put("MINE", "1");
    assertThat(environmentBehindLatch(shell, env)).containsEntry("MINE", "1");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void there_may_be_thousands_of_variables(List<String> shell) throws Exception {
    var env = new LinkedHashMap<String, String>();
    for (int i = 0; i < 5_000; i++) {
      env.put("NUMBER_" + i, Integer.toString(i));
    }
    assertThat(environmentBehindLatch(shell, env)).containsAllEntriesOf(env);
  }

  @ParameterizedTest
  @MethodSource("shells")
  void gate_that_is_never_opened_runs_nothing(List<String> shell) throws Exception {
    Process process = startLatch(shell, Map.of("A", "1"));
    process.getOutputStream().close();
    assertThat(process.getInputStream().readAllBytes()).isEmpty();
    assertThat(process.waitFor()).isEqualTo(1);
  }

  @Test
  void only_variables_of_belay_have_their_own_names_before_the_gate_opens() throws Exception {
    var env =
        StartLatch.environment(
            Map.of(Cookies.SESSION, "s", Cookies.DISPATCH, "d", "LD_PRELOAD", "/a", "PATH", "/b"));
    assertThat(env).containsEntry(Cookies.SESSION, "s").containsEntry(Cookies.DISPATCH, "d");
    assertThat(env.keySet()).allMatch(name -> name.startsWith("BELAY_"));
    assertThat(env.values()).contains("LD_PRELOAD=/a", "PATH=/b");
  }

  @Test
  void what_cannot_be_a_variable_is_refused() {
    for (String name : List.of("", "1A", "A-B", "A=B", "A+", "A B", "BASH_FUNC_x%%", "ä")) {
      assertThatThrownBy(() -> StartLatch.environment(Map.of(name, "v")))
          .isInstanceOf(CannotStart.class)
          .hasMessageContaining("'" + name + "' cannot be the name");
    }
    assertThatThrownBy(() -> StartLatch.environment(Map.of("BELAY_ENV_1", "v")))
        .isInstanceOf(CannotStart.class);
    assertThatThrownBy(() -> StartLatch.environment(Map.of("SECRET", "a\0hunter2")))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("SECRET")
        .hasMessageNotContaining("hunter2");
  }

  /** Shells treat some of these bytes specially. */
  private static String allCharacters() {
    var all = new StringBuilder();
    for (char c = 1; c < 256; c++) {
      all.append(c);
    }
    return all.toString();
  }

  private static Map<String, String> environmentBehindLatch(
      List<String> shell, Map<String, String> ofTask) throws Exception {
    Process process = startLatch(shell, ofTask);
    try (var latch = process.getOutputStream()) {
      latch.write("go\n".getBytes(US_ASCII));
    }
    return environment(process);
  }

  private static Map<String, String> environmentWithoutLatch(Map<String, String> env)
      throws Exception {
    return environment(start(SHOW_ENVIRONMENT, env));
  }

  private static Map<String, String> environment(Process process) throws Exception {
    String environ = new String(process.getInputStream().readAllBytes(), ISO_8859_1);
    assertThat(process.waitFor()).isZero();
    var found = new LinkedHashMap<String, String>();
    for (String variable : environ.split("\0")) {
      String[] parts = variable.split("=", 2);
      found.put(parts[0], parts[1]);
    }
    return found;
  }

  private static Process startLatch(List<String> shell, Map<String, String> ofTask)
      throws Exception {
    var words = new ArrayList<>(shell);
    words.addAll(List.of("-c", StartLatch.script(false), "latch"));
    words.addAll(SHOW_ENVIRONMENT);
    return start(words, StartLatch.environment(ofTask));
  }

  private static Process start(List<String> words, Map<String, String> env) throws Exception {
    var builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().clear();
    builder.environment().putAll(env);
    return builder.start();
  }
}
