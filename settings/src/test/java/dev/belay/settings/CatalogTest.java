package dev.belay.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CatalogTest {

  static List<Setting<?>> all() {
    return Catalog.all();
  }

  static Stream<Rule> rules() {
    return Catalog.groups().stream().flatMap(group -> group.rules().stream());
  }

  @ParameterizedTest
  @MethodSource("all")
  void each_has_a_plain_name_a_meaning_and_a_process(Setting<?> setting) {
    assertThat(setting.name()).matches("[a-z]+(-[a-z]+)*");
    assertThat(setting.meaning()).isNotBlank().doesNotEndWith(".").doesNotContain("|");
    assertThat(setting.processes()).isNotEmpty();
    assertThat(Catalog.named(setting.name())).containsSame(setting);
    assertThat(Catalog.byVariable().get(setting.variable())).isSameAs(setting);
  }

  @ParameterizedTest
  @MethodSource("all")
  void what_it_writes_it_reads(Setting<?> setting) {
    for (ProcessKind process : setting.processes()) {
      check(setting, new Settings(process, java.util.Map.of()));
    }
  }

  private static <T> void check(Setting<T> setting, Settings settings) {
    setting
        .defaultIn(settings)
        .filter(value -> !value.equals(List.of()))
        .ifPresent(
            value -> {
              assertThat(setting.isWithinBounds(value)).isTrue();
              assertThat(setting.type().parse(setting.type().format(value))).contains(value);
            });
  }

  @ParameterizedTest
  @EnumSource
  void defaults_fit_together(ProcessKind process) {
    var defaults = new Settings(process, java.util.Map.of());
    for (Rule rule : Catalog.rules(process)) {
      assertThat(rule.holds().test(defaults)).as(rule.text()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("rules")
  void each_rule_refuses_its_example_by_name(Rule rule) {
    ProcessKind process =
        Stream.of(ProcessKind.LITE, ProcessKind.SERVER, ProcessKind.AGENT)
            .filter(rule::appliesTo)
            .findFirst()
            .orElseThrow(() -> new AssertionError("no process has all of " + rule.about()));
    var layers = new Layers(process);
    rule.example()
        .forEach(
            given ->
                layers.flag(
                    Catalog.named(given.replaceFirst("=.*", "")).orElseThrow(),
                    "--x",
                    given.replaceFirst("[^=]*=", "")));
    assertThat(layers.resolve().problems())
        .anyMatch(
            problem ->
                problem.startsWith(rule.text())
                    && rule.about().stream().allMatch(each -> problem.contains(each.name())));
  }

  @Test
  void a_process_has_only_its_own() {
    var server = Settings.of(ProcessKind.LITE);
    assertThat(server.all()).contains(EngineGroup.TICK).doesNotContain(AgentGroup.SERVER);
  }
}
