package dev.belay.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;

class GeneratedTest {

  @Test
  void the_reference_names_every_setting_and_rule() {
    String page = ReferencePage.markdown();
    assertThat(Catalog.all())
        .allMatch(
            setting ->
                page.contains("| `" + setting.name() + "` | " + setting.type().word() + " |"));
    assertThat(page)
        .contains("- `dispatch-threads` must be at least 2 fewer than `engine-connections`");
    assertThat(page).contains("16, at most engine-connections - 2; lite 1");
  }

  @Test
  void the_schema_knows_every_key_and_no_other() throws Exception {
    var schema = JsonMapper.builder().build().readTree(Schema.json());
    var properties = schema.path("properties");
    assertThat(schema.path("additionalProperties").asBoolean(true)).isFalse();
    assertThat(properties.size()).isEqualTo(Catalog.all().size());
    assertThat(properties.path("port").path("maximum").asInt()).isEqualTo(65_535);
    for (Setting<?> setting : Catalog.all()) {
      var node = properties.path(setting.name());
      assertThat(node.path("type").isMissingNode()).as(setting.name()).isFalse();
      for (ProcessKind process : setting.processes()) {
        String text = setting.defaultText(process);
        if (node.has("pattern") && setting.type().parse(text).isPresent()) {
          assertThat(text).matches(node.path("pattern").asText());
        }
      }
    }
  }
}
