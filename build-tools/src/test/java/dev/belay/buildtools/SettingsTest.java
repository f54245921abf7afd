package dev.belay.buildtools;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.belay.settings.Catalog;
import dev.belay.settings.Reference;
import dev.belay.settings.Schema;
import dev.belay.settings.Setting;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The committed pages of the settings are those that the code makes, and no setting is ignored. */
class SettingsTest {

  @ParameterizedTest
  @CsvSource({"docs/settings.md, reference", "docs/belay.schema.json, schema"})
  void committed_page_is_the_generated_one(String page, String command) throws Exception {
    String made = command.equals("schema") ? Schema.json() : Reference.markdown();
    assertThat(Files.readString(Path.of(SourceTree.root().toString(), page)))
        .as("run ./belay config %s > %s", command, page)
        .isEqualTo(made);
  }

  @Test
  void every_setting_is_read_by_the_product() throws Exception {
    Set<String> read =
        new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.belay")
                .stream()
                .filter(type -> !type.getPackageName().equals("dev.belay.settings"))
                .flatMap(type -> type.getFieldAccessesFromSelf().stream())
                .map(JavaFieldAccess::getTarget)
                .filter(field -> field.getRawType().isEquivalentTo(Setting.class))
                .map(field -> field.getOwner().getName() + "." + field.getName())
                .collect(Collectors.toSet());
    int declared = 0;
    for (var group : Catalog.groups()) {
      declared += group.settings().size();
    }
    Set<String> names = declarations();
    assertThat(names).hasSize(declared);
    assertThat(read).containsAll(names);
  }

  /** The constants of all group classes, which hold every setting of the catalog. */
  private static Set<String> declarations() throws IllegalAccessException {
    var names = new java.util.TreeSet<String>();
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
}
