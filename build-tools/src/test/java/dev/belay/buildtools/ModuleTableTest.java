package dev.belay.buildtools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ModuleTableTest {
  private static final Map<String, Set<String>> RULES =
      Map.of("low", Set.of(), "high", Set.of("low"));
  private static final String POM =
      "<module>low</module><module>high</module><module>jars</module>";
  private static final String JARS = "<artifactId>belay-high</artifactId></dependency>";

  @Test
  void table_of_the_project_says_what_the_rules_enforce() {
    assertThat(ModuleTable.problems(SourceTree.read(SourceTree.root()), ArchitectureRules.MAY_KNOW))
        .isEmpty();
  }

  @Test
  void row_for_each_module_with_its_rule_is_right() {
    assertThat(problems("| `low` | a | - |\n| `high` | b | low |\n| `jars` | c | high |\n"))
        .isEmpty();
  }

  @Test
  void missing_and_second_rows_are_found() {
    assertThat(problems("| `low` | a | - |\n| `high` | b | low |\n")).hasSize(1);
    assertThat(
            problems(
                """
                | `low` | a | - |
                | `low` | a | - |
                | `high` | b | low |
                | `jars` | c | high |
                """))
        .hasSize(1);
  }

  @Test
  void column_that_is_not_the_rule_is_found() {
    assertThat(problems("| `low` | a | high |\n| `high` | b | - |\n| `jars` | c | low |\n"))
        .containsExactly(
            "low may use [], not [high]",
            "high may use [low], not []",
            "jars may use [high], not [low]");
  }

  private static Iterable<String> problems(String table) {
    return ModuleTable.problems(
        Map.of("ARCHITECTURE.md", table, "pom.xml", POM, "jars/pom.xml", JARS), RULES);
  }
}
