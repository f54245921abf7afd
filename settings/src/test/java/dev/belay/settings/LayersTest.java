package dev.belay.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LayersTest {

  private static final Path FILE = Path.of("/etc/belay.yaml");

  private final Layers layers = new Layers(ProcessKind.LITE);

  private static ConfigFile yaml(String text) {
    return ConfigFile.parse(FILE, text);
  }

  @Test
  void flag_wins_over_environment_over_file_over_default() {
    layers.file(yaml("# mine\ntick: 2s\nprobe: 2s\nbeat: 2s\n"));
    layers.environment(Map.of("BELAY_TICK", "3s", "BELAY_PROBE", "3s", "HOME", "/x"));
    layers.assignment("tick=900ms");
    var settings = layers.resolve().settings().orElseThrow();
    assertThat(settings.of(EngineGroup.TICK)).isEqualTo(Duration.ofMillis(900));
    assertThat(settings.source(EngineGroup.TICK).text()).isEqualTo("--set tick");
    assertThat(settings.of(HealthGroup.PROBE)).isEqualTo(Duration.ofSeconds(3));
    assertThat(settings.source(HealthGroup.PROBE).text()).isEqualTo("BELAY_PROBE");
    assertThat(settings.of(HealthGroup.BEAT)).isEqualTo(Duration.ofSeconds(2));
    assertThat(settings.source(HealthGroup.BEAT).text()).isEqualTo("/etc/belay.yaml:4");
    assertThat(settings.source(HealthGroup.STEP_MAX).text()).isEqualTo("default");
  }

  @Test
  void all_problems_are_told_at_once() {
    layers.file(yaml("tick: soon\nagent-silnt: 2m\nport: 70000\nreap:\n  silent: 1s\nbeat:\n"));
    layers.environment(Map.of("BELAY_PAGE_MAXX", "7", "BELAY_BODY_MAX", "8"));
    layers.assignment("agent-silent=15s");
    assertThat(layers.resolve().settings()).isEmpty();
    assertThat(layers.resolve().problems())
        .containsExactly(
            "/etc/belay.yaml:4: reap: names are flat here, like agent-silent: 2m",
            "/etc/belay.yaml:6: beat has no value",
            "/etc/belay.yaml:1: tick: \"soon\" is not a duration, like 500ms, 10s or 2m.",
            "/etc/belay.yaml:2: there is no setting \"agent-silnt\". Did you mean agent-silent?",
            "/etc/belay.yaml:3: port must be between 0 and 65535, not 70000.",
            "BELAY_BODY_MAX: body-max: \"8\" is not a size with its unit, like 512KiB or 8MiB.",
            "BELAY_PAGE_MAXX: there is no such setting. Did you mean BELAY_PAGE_MAX?",
            "3 times heartbeat must be below agent-silent: one late heartbeat must not count as"
                + " silence. Now heartbeat is 5s (default), agent-silent is 15s (--set"
                + " agent-silent).");
  }

  @ParameterizedTest
  @MethodSource("dev.belay.settings.CatalogTest#all")
  void a_wrong_value_and_a_mistyped_name_of_each_are_refused(Setting<?> setting) {
    ProcessKind process = setting.processes().iterator().next();
    String wrong = setting.bounds().isEmpty() ? "" : "99999999999999d";
    var values = new Layers(process);
    values.flag(setting, setting.flag(), wrong);
    if (!setting.type().equals(SettingType.PATH) || wrong.isEmpty()) {
      assertThat(values.resolve().problems())
          .anyMatch(
              problem -> problem.startsWith(setting.flag()) && problem.contains(setting.name()));
    }
    var names = new Layers(process);
    names.file(yaml(setting.name() + "x: 1"));
    names.environment(Map.of(setting.variable() + "X", "1"));
    assertThat(names.resolve().problems())
        .filteredOn(problem -> problem.contains("there is no"))
        .hasSize(2)
        .allMatch(problem -> problem.contains("Did you mean "));
  }

  @ParameterizedTest
  @MethodSource("dev.belay.settings.CatalogTest#all")
  void a_value_outside_its_bounds_is_refused(Setting<?> setting) {
    setting
        .max()
        .filter(max -> max instanceof Integer)
        .ifPresent(
            max -> {
              var values = new Layers(setting.processes().iterator().next());
              values.flag(setting, setting.flag(), above(setting, (Integer) max));
              assertThat(values.resolve().problems())
                  .anyMatch(problem -> problem.contains(setting.name() + " must be between"));
            });
  }

  private static String above(Setting<?> setting, int max) {
    return setting.type().word().equals("processors")
        ? SettingType.PROCESSORS.format(max + 1)
        : String.valueOf(max + 1);
  }

  @ParameterizedTest
  @CsvSource({"4, 4000", "0.5, 500", "1.125, 1125", "-1, ", "0.0001, ", "4k, ", "'', "})
  void processors_may_be_parts_of_one(String text, Integer millis) {
    assertThat(SettingType.PROCESSORS.parse(text).orElse(null)).isEqualTo(millis);
  }

  @Test
  void a_command_is_its_words_and_no_shell_reads_it() {
    assertThat(SettingType.COMMAND.parse("nvidia-smi --format=csv,noheader  $HOME"))
        .contains(List.of("nvidia-smi", "--format=csv,noheader", "$HOME"));
    assertThat(SettingType.COMMAND.parse(" ")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "gpu, true",
    "gpu/a100:2, true",
    "'', false",
    "a b, false",
    "-x, false",
    "a=b, false"
  })
  void a_capability_is_a_plain_name(String text, boolean allowed) {
    assertThat(SettingType.NAME.parse(text).isPresent()).isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "512KiB, 524288",
    "1GiB, 1073741824",
    "100B, 100",
    "0, 0",
    "8MB, ",
    "8, ",
    "-1B, ",
    "99999999999GiB, "
  })
  void sizes_have_units(String text, Long bytes) {
    assertThat(SettingType.BYTES.parse(text).orElse(null)).isEqualTo(bytes);
  }

  @Test
  void a_list_is_written_with_commas_or_as_a_list() {
    layers.file(yaml("pool: [gpu, cpu]"));
    assertThat(layers.resolve().settings().orElseThrow().of(AgentGroup.POOL))
        .containsExactly("gpu", "cpu");
    layers.environment(Map.of("BELAY_POOL", "one, two"));
    assertThat(layers.resolve().settings().orElseThrow().of(AgentGroup.POOL))
        .containsExactly("one", "two");
  }

  @Test
  void keys_of_other_processes_are_checked_and_not_used() {
    layers.file(yaml("server: http://a:1\nname: w"));
    assertThat(layers.resolve().problems()).isEmpty();
    layers.file(yaml("no-wait: perhaps"));
    assertThat(layers.resolve().problems()).singleElement().asString().contains("no-wait");
  }

  @Test
  void missing_ones_are_told_with_the_ways_to_set_them() {
    assertThat(new Layers(ProcessKind.AGENT).resolve().problems())
        .hasSize(3)
        .anyMatch(
            problem ->
                problem.startsWith("join-token-file is not set")
                    && problem.contains(
                        "--join-token-file, BELAY_JOIN_TOKEN_FILE or in belay.yaml"));
  }

  @Test
  void variables_that_are_no_settings_are_left_alone() {
    layers.environment(
        Map.of(
            "BELAY_HOME", "/x",
            "BELAY_TASK_ID", "1",
            "BELAY_SERVICE_HOST", "10.0.0.1",
            "BELAY_PORT", "tcp://10.0.0.1:8080",
            "BELAY_PORT_8080_TCP_ADDR", "10.0.0.1",
            "BELAY_TOKEN_FILE", "/token",
            "BELAY_TICK", " "));
    assertThat(layers.resolve().problems()).isEmpty();
  }

  @Test
  void a_path_in_a_file_is_meant_beside_it() {
    layers.file(yaml("dir: data"));
    assertThat(layers.resolve().settings().orElseThrow().of(ServerGroup.DIR))
        .isEqualTo(Path.of("/etc/data"));
  }

  @Test
  void a_secret_is_not_shown_and_has_no_flag() {
    var server = new Layers(ProcessKind.SERVER);
    server.file(yaml("database-url: jdbc:postgresql://db/b?password=pw\ndatabase-user: u\ndir: d"));
    server.environment(Map.of("BELAY_DATABASE_PASSWORD", "hush"));
    var settings = server.resolve().settings().orElseThrow();
    assertThat(settings.of(DatabaseGroup.DATABASE_PASSWORD)).isEqualTo("hush");
    assertThat(settings.shown(DatabaseGroup.DATABASE_PASSWORD)).isEqualTo("(set)");
    assertThat(settings.shown(DatabaseGroup.DATABASE_URL))
        .isEqualTo("jdbc:postgresql://db/b?(more)");
    server.assignment("database-password=x");
    assertThat(server.resolve().problems()).singleElement().asString().contains("no such setting");
  }

  @Test
  void settings_for_tests_tell_what_does_not_fit() {
    assertThatThrownBy(() -> Settings.of(ProcessKind.LITE, "tick=0s", "page-max=x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tick must be between")
        .hasMessageContaining("page-max");
  }

  @ParameterizedTest
  @CsvSource({
    "rw-------, tick: 2s, ",
    "rw-r--r--, tick: 2s, ",
    "rw-rw-r--, tick: 2s, chmod go-w",
    "rw-r--r--, database-password: x, chmod 600",
    "rw-------, database-password: x, "
  })
  void a_file_that_others_can_change_or_read_is_refused(
      String mode, String text, String remedy, @TempDir Path folder) throws IOException {
    var file = Files.writeString(folder.resolve("belay.yaml"), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    var read = ConfigFile.read(file, Files.getOwner(file).getName());
    if (remedy == null) {
      assertThat(read.problems()).isEmpty();
    } else {
      assertThat(read.problems()).singleElement().asString().contains(remedy);
    }
  }

  @Test
  void an_empty_file_sets_nothing_and_a_broken_one_is_told_by_line() {
    assertThat(yaml("# nothing\n\n")).isEqualTo(new ConfigFile(FILE, List.of(), List.of()));
    assertThat(yaml("tick: 1s\n\tbeat: 1s").problems())
        .singleElement()
        .asString()
        .startsWith("/etc/belay.yaml:2: not YAML");
    assertThat(yaml("- tick").problems()).singleElement().asString().contains("NAME: VALUE");
    assertThat(yaml("tick: 1s\ntick: 2s").problems()).singleElement().asString().contains("tick");
    assertThat(yaml("tick: [1s, 2s]").problems())
        .containsExactly("/etc/belay.yaml:1: tick takes one value, not a list");
  }

  @Test
  void a_pipe_is_refused_at_once(@TempDir Path folder) throws Exception {
    var pipe = folder.resolve("belay.yaml");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> ConfigFile.read(pipe, "root"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a regular file");
  }
}
