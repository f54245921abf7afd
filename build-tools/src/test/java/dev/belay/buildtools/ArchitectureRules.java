package dev.belay.buildtools;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The allowed dependencies between modules, for the packages below a base package: the real one, or
 * the examples that violate each rule. {@code ARCHITECTURE.md} shows them as a table.
 */
final class ArchitectureRules {
  /** The modules that each module with code may depend on, besides itself. */
  static final Map<String, Set<String>> MAY_KNOW =
      Map.ofEntries(
          mayKnow("domain"),
          mayKnow("workflow", "domain"),
          mayKnow("settings", "workflow"),
          mayKnow("protocol"),
          mayKnow("session", "protocol", "domain"),
          mayKnow("engine", "domain", "session", "protocol"),
          mayKnow("embedded"),
          // the engine's ports, which the store implements, use sessions
          mayKnow("store", "domain", "engine", "workflow", "session"),
          mayKnow(
              "server", "domain", "engine", "protocol", "session", "settings", "store", "workflow"),
          mayKnow("agent", "domain", "session", "protocol"),
          mayKnow(
              "cli", "agent", "domain", "embedded", "server", "session", "settings", "workflow"),
          mayKnow("simulation", "domain", "engine", "protocol", "session", "store", "workflow"),
          // it calls a server as any client does, and starts one in a process
          mayKnow("fuzz", "embedded", "protocol", "server"),
          mayKnow(
              "benchmarks",
              "agent",
              "cli",
              "domain",
              "embedded",
              "engine",
              "protocol",
              "session",
              "store",
              "workflow"));

  /** The packages that may create clocks, randomness and ids and pass them to all other code. */
  static final List<String> WIRING =
      List.of(
          "cli",
          "server.wiring",
          "agent.wiring",
          "simulation.wiring",
          "fuzz.wiring",
          "benchmarks..");

  private final String base;

  ArchitectureRules(String base) {
    this.base = base;
  }

  private static Map.Entry<String, Set<String>> mayKnow(String module, String... others) {
    return Map.entry(module, Set.of(others));
  }

  ArchRule moduleKnowsOnly(String module) {
    String[] known =
        Stream.concat(Stream.of(module), MAY_KNOW.getOrDefault(module, Set.of()).stream())
            .map(this::inside)
            .toArray(String[]::new);
    DescribedPredicate<JavaClass> ours = resideInAPackage(base + "..");
    return noClasses()
        .that()
        .resideInAPackage(inside(module))
        .should()
        .dependOnClassesThat(ours.and(not(resideInAnyPackage(known))))
        .allowEmptyShould(true);
  }

  ArchRule domainKnowsOnlyTheJdk() {
    return classes()
        .that()
        .resideInAPackage(inside("domain"))
        .should()
        .onlyDependOnClassesThat(resideInAnyPackage("java..", "org.jspecify..", base + ".."))
        .allowEmptyShould(true);
  }

  ArchRule packagesHaveNoCycles() {
    return slices()
        .assignedFrom(new EachPackage())
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true);
  }

  ArchRule clocksAndChanceAreGiven() {
    String[] wiring = WIRING.stream().map(name -> base + "." + name).toArray(String[]::new);
    return noClasses()
        .that(not(resideInAnyPackage(wiring)))
        .should()
        .accessTargetWhere(describe("a clock, chance or ids are read", this::readsAmbientState))
        .because("time, chance and ids are constructor arguments; only the wiring makes them")
        .allowEmptyShould(true);
  }

  private boolean readsAmbientState(JavaAccess<?> access) {
    String member = access.getTarget().getName();
    return switch (access.getTargetOwner().getName()) {
      case "java.lang.System" -> Set.of("currentTimeMillis", "nanoTime").contains(member);
      case "java.lang.Math", "java.lang.StrictMath" -> member.equals("random");
      case "java.util.UUID" -> member.equals("randomUUID");
      case "java.util.concurrent.ThreadLocalRandom" -> true;
      case "java.util.Random", "java.util.SplittableRandom", "java.util.Date" ->
          member.equals("<init>") && takesNothing(access);
      case "java.security.SecureRandom" -> member.equals("<init>") || member.startsWith("get");
      case "java.util.random.RandomGenerator" -> Set.of("getDefault", "of").contains(member);
      case "java.time.Clock", "java.time.InstantSource" ->
          member.startsWith("system")
              || (member.startsWith("tick") && !takesA(access, Clock.class));
      case String owner when owner.startsWith("java.time.") ->
          member.equals("now") && !takesA(access, Clock.class);
      default -> false;
    };
  }

  private static boolean takesNothing(JavaAccess<?> access) {
    return access.getTarget().getFullName().endsWith("()");
  }

  private static boolean takesA(JavaAccess<?> access, Class<?> type) {
    String name = access.getTarget().getFullName();
    String parameters = name.substring(name.indexOf('(') + 1, name.length() - 1);
    return Arrays.asList(parameters.split(", ")).contains(type.getName());
  }

  private String inside(String module) {
    return base + "." + module + "..";
  }

  private static final class EachPackage implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      return SliceIdentifier.of(type.getPackageName());
    }

    @Override
    public String getDescription() {
      return "packages";
    }
  }
}
