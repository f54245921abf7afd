package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events as a caller sees them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventApiTest {

  private static final String EVENTS = "/api/v1/events";

  private ApiFixture api;

  @BeforeAll
  void start(@TempDir Path folder) {
    api = new ApiFixture(folder, "events-max=3");
  }

  @BeforeEach
  void clear() {
    api.store.clear();
  }

  @AfterAll
  void stop() {
    api.close();
  }

  @Test
  void event_is_stored_and_shown_with_the_triggers_that_wait_for_it() {
    api.postYaml(
        "/api/v1/workflows",
        "name: w\ntriggers: [{event: arrived}]\ntask: {command: [/bin/true]}\n");
    var sent = api.post(EVENTS, "{\"name\": \"arrived\", \"data\": {\"size\": 1}}");
    assertThat(sent.status()).isEqualTo(201);
    assertThat(sent.json().get("new").asBoolean()).isTrue();
    var shown = api.fetch(EVENTS + "/" + sent.json().get("id").asText()).json();
    assertThat(shown.get("name").asText()).isEqualTo("arrived");
    assertThat(shown.get("tenant").asText()).isEqualTo("default");
    assertThat(shown.get("data").toString()).isEqualTo("{\"size\": 1}".replace(" ", ""));
    assertThat(shown.get("source").asText()).isEqualTo("api");
    assertThat(shown.get("depth").asInt()).isZero();
    var trigger = shown.get("triggers").get(0);
    assertThat(trigger.get("workflow").asText()).isEqualTo("w");
    assertThat(trigger.get("trigger").asText()).isEqualTo("event arrived");
    assertThat(trigger.get("outcome").asText()).isEqualTo("pending");
  }

  @Test
  void known_key_gives_the_first_event_and_other_data_is_a_conflict() {
    var body = "{\"name\": \"arrived\", \"key\": \"k\", \"data\": {\"a\": %d}}";
    var first = api.post(EVENTS, body.formatted(1));
    var again = api.post(EVENTS, body.formatted(1));
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().get("id")).isEqualTo(first.json().get("id"));
    assertThat(again.json().get("new").asBoolean()).isFalse();
    var other = api.post(EVENTS, body.formatted(2));
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.json().get("type").asText()).endsWith("key-conflict");
    assertThat(api.store.count("event")).isEqualTo(1);
  }

  @Test
  void list_of_events_is_stored_as_a_whole() {
    var sent =
        api.post(EVENTS, "{\"events\": [{\"name\": \"a\"}, {\"name\": \"b\", \"tenant\": \"t\"}]}");
    assertThat(sent.status()).isEqualTo(201);
    assertThat(sent.json().get("events")).hasSize(2);
    assertThat(api.fetch(EVENTS).json().get("items")).hasSize(1);
    assertThat(api.fetch(EVENTS + "?tenant=t").json().get("items")).hasSize(1);
    var bad = api.post(EVENTS, "{\"events\": [{\"name\": \"a\"}, {\"name\": \"B!\"}]}");
    assertThat(bad.status()).isEqualTo(422);
    assertThat(bad.json().at("/errors/0/field").asText()).isEqualTo("events[1].name");
    assertThat(api.store.count("event")).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"name\": 1}",
        "{\"name\": \"a\", \"data\": [1]}",
        "{\"name\": \"a\", \"data\": null}",
        "{\"name\": \"a\", \"key\": \"\"}",
        "{\"name\": \"a\", \"run_id\": \"x\"}",
        "{\"name\": \"a\", \"other\": 1}",
        "{\"events\": []}",
        "{\"events\": [{}, {}, {}, {}]}",
        "{\"events\": [1]}",
        "{\"name\": \"a\", \"events\": [{\"name\": \"a\"}]}"
      })
  void what_is_no_event_is_refused(String body) {
    assertThat(api.post(EVENTS, body).status()).isEqualTo(422);
    assertThat(api.store.count("event")).isZero();
  }

  @Test
  void data_is_bounded() {
    var body = "{\"name\": \"a\", \"data\": {\"text\": \"%s\"}}";
    assertThat(api.post(EVENTS, body.formatted("x".repeat(60_000))).status()).isEqualTo(201);
    var refused = api.post(EVENTS, body.formatted("x".repeat(70_000)));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text()).contains("event-data-max");
  }

  @Test
  void data_is_bounded_by_the_digits_that_its_numbers_have_in_the_database() {
    var body = "{\"name\": \"a\", \"data\": {\"x\": [%s]}}";
    assertThat(api.post(EVENTS, body.formatted("1e308" + ",1e308".repeat(199))).status())
        .isEqualTo(201);
    for (var number : new String[] {",1e308", ",-1e-300"}) {
      var refused = api.post(EVENTS, body.formatted("1" + number.repeat(400)));
      assertThat(refused.status()).isEqualTo(422);
      assertThat(refused.json().at("/errors/0/field").asText()).isEqualTo("data");
      assertThat(refused.text()).contains("event-data-max");
    }
  }

  @Test
  void number_that_no_float_holds_is_refused_by_its_field() {
    var refused = api.post(EVENTS, "{\"name\": \"a\", \"data\": {\"x\": [1, -1e400]}}");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.json().at("/errors/0/field").asText()).isEqualTo("data.x[1]");
    assertThat(api.store.count("event")).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 1_500})
  void number_with_too_many_digits_is_refused_as_such(int digits) {
    var refused =
        api.post(EVENTS, "{\"name\": \"a\", \"data\": {\"x\": %s}}".formatted("9".repeat(digits)));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.json().at("/errors/0/field").asText()).isEqualTo("data.x");
    assertThat(refused.text()).contains("json-number-max");
  }

  @Test
  void events_are_listed_newest_first_by_name_and_key() {
    for (var name : new String[] {"a", "b", "a"}) {
      api.post(EVENTS, "{\"name\": \"%s\", \"key\": \"%s\"}".formatted(name, UUID.randomUUID()));
    }
    var first = api.fetch(EVENTS + "?name=a&limit=1").json();
    assertThat(first.get("items")).hasSize(1);
    var next = api.fetch(EVENTS + "?name=a&limit=1&cursor=" + first.get("next").asText()).json();
    assertThat(next.get("items")).hasSize(1);
    assertThat(next.get("next").isNull()).isTrue();
    var key = next.at("/items/0/key").asText();
    assertThat(api.fetch(EVENTS + "?key=" + key).json().get("items")).hasSize(1);
    assertThat(api.fetch(EVENTS + "/" + UUID.randomUUID()).status()).isEqualTo(404);
  }

  @Test
  void ends_of_a_run_show_what_they_started() {
    api.postYaml("/api/v1/workflows", "name: w\ntask: {command: [/bin/true]}\n");
    var run = api.post("/api/v1/workflows/w/runs", "{}").json().get("id").asText();
    assertThat(api.fetch("/api/v1/runs/" + run + "/chains").json().get("items")).isEmpty();
    assertThat(api.fetch("/api/v1/runs/" + UUID.randomUUID() + "/chains").status()).isEqualTo(404);
  }
}
