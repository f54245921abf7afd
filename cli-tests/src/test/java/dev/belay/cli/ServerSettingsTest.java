package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerSettingsTest {

  @TempDir Path home;

  @ParameterizedTest
  @CsvSource({
    "agent-silence=2m, Did you mean agent-silent?",
    "lease, write it like",
    "lease=soon, is not a duration",
    "agent-silent=1s, agent-silent is 1s (--set agent-silent)",
    "port=70000, must be between 0 and 65535"
  })
  void setting_that_is_unknown_wrong_or_unfit_is_refused_by_name(String set, String why) {
    var result = server("--set", set);
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("--set").contains(why).contains("nothing was started");
  }

  @Test
  void every_problem_of_file_variables_and_flags_is_told_at_once() throws IOException {
    var file = Files.writeString(home.resolve("b.yaml"), "tick: soon\nagnt-closed: 3s\n");
    var shell = new Shell(home);
    shell.env.put("BELAY_PAGE_MAX", "many");
    var result =
        shell.run("server", "--config", file.toString(), "--dispatch-threads", "99", "--dir", "d");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .contains(file + ":1: tick: \"soon\" is not a duration")
        .contains(file + ":2: there is no setting \"agnt-closed\". Did you mean agent-closed?")
        .contains("BELAY_PAGE_MAX: page-max: \"many\" is not a whole number")
        .contains("dispatch-threads is 99 (--dispatch-threads)")
        .contains("database-url is not set")
        .contains("6 settings are wrong");
  }

  @Test
  void a_flag_that_does_not_exist_gets_a_suggestion() {
    var result = server("--agent-silnt", "2m");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("Did you mean --agent-silent?");
  }

  @Test
  void config_shows_each_value_and_where_it_comes_from() throws IOException {
    var file = Files.writeString(home.resolve("b.yaml"), "tick: 2s\n");
    var shell = new Shell(home);
    shell.env.put("BELAY_AGENT_SILENT", "2m");
    shell.env.put("BELAY_DATABASE_PASSWORD", "hush");
    shell.env.put("BELAY_CONFIG", file.toString());
    var result = shell.run("config", "--process", "server", "--set", "beat=900ms");
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(result.out())
        .containsPattern("tick +2s +" + file + ":1 +1s")
        .containsPattern("agent-silent +2m +BELAY_AGENT_SILENT +1m30s")
        .containsPattern("beat +900ms +--set beat +1s")
        .containsPattern("database-password +\\(set\\) +BELAY_DATABASE_PASSWORD")
        .containsPattern("lease +1m +default +1m")
        .doesNotContain("hush");
    var json = shell.run("config", "--process", "server", "-o", "json");
    assertThat(json.out()).contains("\"source\"", "\"bounds\"").doesNotContain("hush");
  }

  @Test
  void config_tells_what_would_stop_a_start() {
    var result = new Shell(home).run("config", "--process", "agent", "--set", "slots=0");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("slots must be between 1 and 10000, not 0.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"server", "lite", "agent"})
  void help_shows_the_everyday_flags_only(String process) {
    var help = new Shell(home).run(process, "--help").out();
    assertThat(help).contains("--dir", "--config", "--set").doesNotContain("reap-batch");
  }

  @Test
  void file_in_the_folder_of_the_process_is_found() throws IOException {
    var folder = Files.createDirectories(home.resolve("data"));
    Files.writeString(folder.resolve("belay.yaml"), "slots: 0\n");
    var shell = new Shell(home);
    shell.env.put("BELAY_HOME", folder.toString());
    assertThat(shell.run("lite").err()).contains(folder + "/belay.yaml:1: slots must be between");
    shell.env.put("BELAY_CONFIG", home.resolve("none.yaml").toString());
    assertThat(shell.run("lite").err()).contains("Cannot read the settings " + home + "/none.yaml");
  }

  private Shell.Result server(String... more) {
    var line = new java.util.ArrayList<String>();
    line.addAll(
        java.util.List.of(
            "server",
            "--database-url",
            "jdbc:postgresql://nowhere/x",
            "--user",
            "u",
            "--dir",
            home + "/s"));
    line.addAll(java.util.List.of(more));
    return new Shell(home).run(line.toArray(String[]::new));
  }
}
