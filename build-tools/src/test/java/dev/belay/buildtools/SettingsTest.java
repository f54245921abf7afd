package dev.belay.buildtools;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.belay.settings.Catalog;
import dev.belay.settings.ReferencePage;
import dev.belay.settings.Schema;
import dev.belay.settings.Setting;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that the committed settings pages match the code and that code uses every setting. */
class SettingsTest {

  private static final JavaClasses PROJECT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.belay");

  /** The records that carry values of settings to the code that uses them. */
  private static final Set<String> CARRIERS =
      Set.of(
          "EngineSettings",
          "LeaderSettings",
          "ElectionSettings",
          "ReapSettings",
          "PromiseSettings",
          "RoutingSettings",
          "ReapSettings.Liveness",
          "ReapSettings.Grace",
          "ReapSettings.Mass",
          "ReapSettings.Waits",
          "Lease",
          "RetryDecision.Waits",
          "GatewaySettings",
          "GatewaySettings.Limits",
          "PlanPool.Limits",
          "WorkPool.Size",
          "ExpressionLimits",
          "ExpressionLimits.Bound",
          "Database.Bounds",
          "RetentionLimits",
          "RetentionSettings",
          "ForgottenWorkers",
          "BodyReader.Limits",
          "LogGateway.Bounds",
          "LogStore.Bounds",
          "ProcessSettings",
          "LogSettings",
          "JournalSettings",
          "LinkSettings",
          "ReserveSettings");

  /** These only copy values. */
  private static final Set<String> MAPPINGS = Set.of("EngineParts", "AgentParts");

  private static final Set<String> COPIES = Set.of("logSettings", "processSettings");

  @ParameterizedTest
  @CsvSource({"docs/settings.md, reference", "docs/belay.schema.json, schema"})
  void committed_page_is_the_generated_one(String page, String command) throws Exception {
    String made = command.equals("schema") ? Schema.json() : ReferencePage.markdown();
    assertThat(Files.readString(SourceTree.root().resolve(page)))
        .as("run ./belay config %s > %s", command, page)
        .isEqualTo(made);
  }

  @Test
  void every_setting_is_read_by_the_product() throws Exception {
    Set<String> read =
        PROJECT.stream()
            .filter(type -> !type.getPackageName().equals("dev.belay.settings"))
            .flatMap(type -> type.getFieldAccessesFromSelf().stream())
            .map(JavaFieldAccess::getTarget)
            .filter(field -> field.getRawType().isEquivalentTo(Setting.class))
            .map(field -> field.getOwner().getName() + "." + field.getName())
            .collect(Collectors.toSet());
    Set<String> declared = declarations();
    assertThat(declared).hasSize(Catalog.all().size());
    assertThat(read).containsAll(declared);
  }

  /** The constants of all group classes, which hold every setting of the catalog. */
  private static Set<String> declarations() throws IllegalAccessException {
    var names = new TreeSet<String>();
    for (var type : new ClassFileImporter().importPackages("dev.belay.settings")) {
      if (!type.getSimpleName().endsWith("Group")) {
        continue;
      }
      for (Field field : type.reflect().getDeclaredFields()) {
        if (field.getType() == Setting.class
            && Catalog.all().contains((Setting<?>) field.get(null))) {
          names.add(type.getName() + "." + field.getName());
        }
      }
    }
    return names;
  }

  /** A component that only the mapping touches would be accepted and ignored. */
  @Test
  void every_value_that_settings_become_is_used() {
    var carriers =
        PROJECT.stream()
            .filter(type -> type.isRecord() && CARRIERS.contains(shortName(type)))
            .toList();
    assertThat(carriers.stream().map(SettingsTest::shortName)).containsAll(CARRIERS);
    assertThat(carriers.stream().flatMap(SettingsTest::unused)).isEmpty();
  }

  private static Stream<String> unused(JavaClass carrier) {
    return carrier.getFields().stream()
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
        .filter(field -> !isUsed(carrier, field))
        .map(field -> shortName(carrier) + "." + field.getName());
  }

  private static boolean isUsed(JavaClass carrier, JavaField field) {
    boolean inside =
        field.getAccessesToSelf().stream()
            .map(access -> access.getOrigin().getName())
            .anyMatch(by -> !by.equals(field.getName()) && !by.equals("<init>"));
    boolean outside =
        carrier.getMethod(field.getName()).getCallsOfSelf().stream()
            .filter(call -> !COPIES.contains(call.getOrigin().getName()))
            .map(JavaCall::getOriginOwner)
            .anyMatch(by -> !by.equals(carrier) && !MAPPINGS.contains(by.getSimpleName()));
    return inside || outside;
  }

  private static String shortName(JavaClass type) {
    return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
  }
}
