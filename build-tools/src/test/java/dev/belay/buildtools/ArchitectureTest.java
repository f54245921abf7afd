package dev.belay.buildtools;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the project with {@link ArchitectureRules}, and each rule with a violating example. */
class ArchitectureTest {
  private static final String BELAY = "dev.belay";
  private static final String VIOLATIONS = "dev.belay.buildtools.violations";

  private static final JavaClasses PROJECT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(BELAY);
  private static final JavaClasses EXAMPLES = new ClassFileImporter().importPackages(VIOLATIONS);

  private final ArchitectureRules rules = new ArchitectureRules(BELAY);
  private final ArchitectureRules onExamples = new ArchitectureRules(VIOLATIONS);

  static Set<String> modules() {
    return new TreeSet<>(ArchitectureRules.MAY_KNOW.keySet());
  }

  @ParameterizedTest
  @MethodSource("modules")
  void module_knows_only_what_it_may(String module) {
    rules.moduleKnowsOnly(module).check(PROJECT);
    assertThat(violations(onExamples.moduleKnowsOnly(module)))
        .anyMatch(violation -> violation.contains(VIOLATIONS + "." + module + "."));
  }

  @Test
  void every_package_belongs_to_a_module_with_a_rule() {
    assertThat(PROJECT)
        .isNotEmpty()
        .allSatisfy(type -> assertThat(modules()).contains(type.getPackageName().split("\\.")[2]));
  }

  @Test
  void domain_knows_only_the_jdk() {
    rules.domainKnowsOnlyTheJdk().check(PROJECT);
    assertThat(violations(onExamples.domainKnowsOnlyTheJdk()))
        .anyMatch(violation -> violation.contains("DomainUsesLibrary"));
  }

  @Test
  void packages_have_no_cycles() {
    rules.packagesHaveNoCycles().check(PROJECT);
    assertThat(violations(onExamples.packagesHaveNoCycles()))
        .anyMatch(violation -> violation.contains("cycle.left"));
  }

  @Test
  void clocks_chance_and_ids_are_given() {
    rules.clocksAndChanceAreGiven().check(PROJECT);
    assertThat(violations(onExamples.clocksAndChanceAreGiven()))
        .hasSize(10)
        .noneMatch(violation -> violation.contains("given(") || violation.contains("seeded("));
  }

  private static List<String> violations(ArchRule rule) {
    return rule.evaluate(EXAMPLES).getFailureReport().getDetails();
  }
}
