package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.server.api.ApiFixture.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Sets of files, versions and deleted workflows as a caller sees them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApplyApiTest {

  private ApiFixture api;

  @BeforeAll
  void start(@TempDir Path folder) {
    api = new ApiFixture(folder, "body-max=2MiB");
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
  void a_set_is_planned_applied_and_then_unchanged() {
    var files = Map.of("flows/a.yaml", workflow("a", 1), "flows/b.yaml", workflow("b", 1));

    var planned = apply(files, "dry_run", true);
    assertThat(planned.status()).as(planned.text()).isEqualTo(200);
    assertThat(actions(planned)).containsExactly("create a", "create b");
    assertThat(api.store.count("workflow")).isZero();

    assertThat(apply(files).json().get("changes").asBoolean()).isTrue();
    var again = apply(files);
    assertThat(actions(again)).containsExactly("unchanged a", "unchanged b");
    assertThat(again.json().get("changes").asBoolean()).isFalse();
    assertThat(again.json().at("/counts/unchanged").asInt()).isEqualTo(2);
    assertThat(api.store.count("workflow")).isEqualTo(2);
  }

  @Test
  void a_change_shows_the_difference_to_the_stored_source() {
    apply(Map.of("a.yaml", workflow("a", 1)));
    var changed = apply(Map.of("a.yaml", workflow("a", 2))).json();
    var item = changed.get("items").get(0);
    assertThat(item.get("action").asText()).isEqualTo("change");
    assertThat(item.get("version").asInt()).isEqualTo(2);
    assertThat(item.get("diff").asText())
        .startsWith("--- a version 1\n+++ a.yaml\n@@ ")
        .contains("\n-  - {name: t, command: [echo, \"1\"]}\n")
        .contains("\n+  - {name: t, command: [echo, \"2\"]}\n");
  }

  @Test
  void one_broken_file_among_500_is_named_and_nothing_changes() {
    var files = new TreeMap<String, String>();
    for (int i = 0; i < 500; i++) {
      files.put("w%03d.yaml".formatted(i), workflow("w" + i, 1));
    }
    files.put("w250.yaml", "name: w250\ntasks:\n  - {name: t, comand: [echo]}\n");
    var refused = apply(files);
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.json().get("detail").asText())
        .isEqualTo("The files have errors; nothing was applied.");
    var error = refused.json().get("errors").get(0);
    assertThat(error.get("file").asText()).isEqualTo("w250.yaml");
    assertThat(error.get("line").asInt()).isEqualTo(3);
    assertThat(error.get("column").asInt()).isEqualTo(15);
    assertThat(api.store.stored()).isZero();
  }

  @Test
  void two_files_of_one_name_and_two_system_files_are_errors() {
    var refused =
        apply(
            new TreeMap<>(
                Map.of(
                    "a.yaml",
                    workflow("same", 1),
                    "b.yaml",
                    workflow("same", 2),
                    "s1.yaml",
                    "kind: system\n",
                    "s2.yaml",
                    "kind: system\n")));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.json().get("errors").findValuesAsText("message"))
        .satisfiesExactly(
            name -> assertThat(name).contains("'same' is already in a.yaml, line 1"),
            system -> assertThat(system).contains("a set has one system file"));
  }

  @Test
  void a_confirmed_plan_is_applied_only_while_it_is_true() {
    apply(Map.of("a.yaml", workflow("a", 1), "b.yaml", workflow("b", 1)));
    var files = Map.of("a.yaml", workflow("a", 1));
    var plan = apply(files, "prune", "delete", "dry_run", true).json();
    assertThat(plan.at("/counts/delete").asInt()).isEqualTo(1);
    api.postYaml("/api/v1/workflows", workflow("colleague", 1));

    var refused = apply(files, "prune", "delete", "plan", plan.get("plan").asText());
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().get("type").asText()).endsWith(":plan-outdated");
    assertThat(api.fetch("/api/v1/workflows").json().get("items")).hasSize(3);
  }

  @Test
  void a_deleted_workflow_is_not_triggered_but_can_be_read_and_comes_back() {
    apply(Map.of("a.yaml", workflow("a", 1), "b.yaml", workflow("b", 1)));
    var run = api.post("/api/v1/workflows/b/runs", "{}").json().get("id").asText();
    var pruned = apply(Map.of("a.yaml", workflow("a", 1)), "prune", "delete");
    assertThat(actions(pruned)).containsExactly("unchanged a", "delete b");

    var refused = api.post("/api/v1/workflows/b/runs", "{}");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().get("type").asText()).endsWith(":workflow-deleted");
    assertThat(refused.json().get("detail").asText()).contains("b", "is deleted", "belay apply");
    assertThat(api.fetch("/api/v1/runs/" + run).json().get("state").asText()).isEqualTo("QUEUED");
    assertThat(api.fetch("/api/v1/workflows/b").json().get("deleted_by").asText()).isNotEmpty();
    assertThat(names(api.fetch("/api/v1/workflows"))).containsExactly("a");
    assertThat(names(api.fetch("/api/v1/workflows?deleted=true"))).containsExactly("b");

    var back = api.postYaml("/api/v1/workflows", workflow("b", 1));
    assertThat(back.status()).isEqualTo(200);
    assertThat(back.json().get("restored").asBoolean()).isTrue();
    assertThat(api.post("/api/v1/workflows/b/runs", "{}").status()).isEqualTo(201);
  }

  @Test
  void versions_are_listed_and_rolled_back() {
    for (int i = 1; i <= 3; i++) {
      apply(Map.of("a.yaml", workflow("a", i)));
    }
    var page = api.fetch("/api/v1/workflows/a/versions?limit=2").json();
    assertThat(page.get("items").findValuesAsText("version")).containsExactly("3", "2");
    var last = api.fetch("/api/v1/workflows/a/versions?limit=2&cursor=" + page.get("next").asInt());
    assertThat(last.json().get("items").findValuesAsText("version")).containsExactly("1");
    assertThat(last.json().get("next").isNull()).isTrue();

    var rolled = api.post("/api/v1/workflows/a/rollback", "{\"version\": 1}");
    assertThat(rolled.status()).isEqualTo(201);
    assertThat(rolled.json().get("version").asInt()).isEqualTo(4);
    var again = api.post("/api/v1/workflows/a/rollback", "{\"version\": 1}");
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().get("version").asInt()).isEqualTo(4);
    assertThat(api.fetch("/api/v1/workflows/a").json().get("source").asText())
        .isEqualTo(workflow("a", 1));

    assertThat(api.post("/api/v1/workflows/a/rollback", "{\"version\": 9}").status())
        .isEqualTo(404);
    assertThat(api.fetch("/api/v1/workflows/none/versions").status()).isEqualTo(404);
    for (var bad : List.of("{}", "{\"version\": 0}", "{\"version\": \"1\"}", "{\"v\": 1}")) {
      assertThat(api.post("/api/v1/workflows/a/rollback", bad).status()).as(bad).isEqualTo(422);
    }
  }

  @Test
  void the_system_file_is_stored_and_unknown_pools_are_warned_about() {
    var gpu = "name: g\ntasks:\n  - {name: t, command: [echo], pool: gpu}\n";
    var warned = apply(Map.of("g.yaml", gpu)).json().get("warnings");
    assertThat(warned).hasSize(1);
    assertThat(warned.get(0).get("line").asInt()).isEqualTo(3);
    assertThat(warned.get(0).get("message").asText()).contains("no worker serves the pool 'gpu'");

    var system = "kind: system\npools: {gpu: {description: big}}\n";
    var declared = apply(Map.of("g.yaml", gpu, "system.yaml", system));
    assertThat(actions(declared)).containsExactly("create system", "unchanged g");
    assertThat(declared.json().get("warnings")).isEmpty();
    var stored = api.fetch("/api/v1/system").json();
    assertThat(stored.get("source").asText()).isEqualTo(system);
    assertThat(stored.at("/pools/0/description").asText()).isEqualTo("big");
    assertThat(apply(Map.of("system.yaml", system)).json().get("changes").asBoolean()).isFalse();
  }

  @Test
  void calendars_are_stored_and_kept_while_a_trigger_uses_them() {
    var etl = triggered("etl", "cron: \"0 2 * * *\", calendar: holiday");
    var unknown = apply(Map.of("etl.yaml", etl));
    assertThat(unknown.status()).isEqualTo(422);
    assertThat(unknown.json().at("/errors/0/line").asInt()).isEqualTo(3);
    assertThat(unknown.json().at("/errors/0/message").asText())
        .isEqualTo(
            "no system file declares the calendar 'holiday'; declare it under 'calendars' of the"
                + " system file");
    var system =
        "kind: system\npools: {}\ncalendars: {holidays: {business_days: true, dates:"
            + " [2026-12-25]}}\n";
    assertThat(apply(Map.of("etl.yaml", etl, "s.yaml", system), "dry_run", true).text())
        .contains("did you mean 'holidays'?");

    var right = etl.replace("calendar: holiday", "calendar: holidays");
    assertThat(actions(apply(Map.of("etl.yaml", right, "s.yaml", system))))
        .containsExactly("create system", "create etl");
    var stored = api.fetch("/api/v1/system").json().at("/calendars/0");
    assertThat(stored.toString())
        .isEqualTo(
            "{\"name\":\"holidays\",\"description\":null,\"weekdays\":[\"sat\",\"sun\"],"
                + "\"dates\":[\"2026-12-25\"]}");
    var dropped = apply(Map.of("s.yaml", "kind: system\ncalendars: {other: {}}\n"));
    assertThat(dropped.status()).isEqualTo(422);
    assertThat(dropped.json().at("/errors/0/file").asText()).isEqualTo("s.yaml");
    assertThat(dropped.json().at("/errors/0/line").asInt()).isEqualTo(2);
    assertThat(dropped.json().at("/errors/0/message").asText())
        .contains(
            "the trigger 'cron 0 2 * * *' of the workflow 'etl' uses the calendar 'holidays'");

    var without = workflow("etl", 1);
    assertThat(apply(Map.of("etl.yaml", without, "s.yaml", "kind: system\n")).status())
        .isEqualTo(200);
    assertThat(api.postYaml("/api/v1/workflows", right).text()).contains("holidays");
    var back = api.post("/api/v1/workflows/etl/rollback", "{\"version\": 1}");
    assertThat(back.status()).isEqualTo(422);
    assertThat(back.text()).contains("no system file declares the calendar 'holidays'");
  }

  @Test
  void circles_of_workflows_are_refused_and_unknown_ones_warned_about() {
    var circle =
        apply(
            new TreeMap<>(
                Map.of(
                    "a.yaml", triggered("a", "workflow: b"),
                    "b.yaml", triggered("b", "workflow: a"))));
    assertThat(circle.status()).isEqualTo(422);
    assertThat(circle.json().at("/errors/0/file").asText()).isEqualTo("b.yaml");
    assertThat(circle.json().at("/errors/0/line").asInt()).isEqualTo(3);
    assertThat(circle.json().at("/errors/0/message").asText())
        .isEqualTo(
            "workflows would start each other for ever: a -> b -> a; remove one of these"
                + " triggers");

    var first = api.postYaml("/api/v1/workflows?file=a.yaml", triggered("a", "workflow: b"));
    assertThat(first.status()).isEqualTo(201);
    assertThat(first.json().at("/warnings/0/file").asText()).isEqualTo("a.yaml");
    assertThat(first.json().at("/warnings/0/message").asText())
        .isEqualTo("there is no workflow 'b' yet, so this trigger starts nothing");
    assertThat(apply(Map.of("c.yaml", triggered("c", "workflow: typo"))).json().get("warnings"))
        .hasSize(1);
    var second = api.postYaml("/api/v1/workflows", triggered("b", "workflow: a"));
    assertThat(second.status()).isEqualTo(422);
    assertThat(second.text()).contains("a -> b -> a");
    assertThat(api.postYaml("/api/v1/workflows", "kind: system\n").text())
        .contains("this is a system file, not a workflow");
  }

  private static String triggered(String name, String trigger) {
    return "name: %s\ntriggers:\n  - {%s}\ntasks: [{name: t, command: [echo]}]\n"
        .formatted(name, trigger);
  }

  @Test
  void bad_requests_change_nothing() {
    for (var bad :
        List.of(
            "{}",
            "{\"files\": []}",
            "{\"files\": [1]}",
            "{\"files\": {\"a\": \"b\"}}",
            "{\"files\": [{\"file\": \"\", \"source\": \"\"}]}",
            "{\"files\": [{\"file\": \"a\", \"source\": null}]}",
            "{\"files\": [{\"file\": \"a\", \"source\": \"a\\u0000b\"}]}",
            "{\"files\": [{\"file\": \"a\", \"source\": \"kind: system\", \"x\": 1}]}",
            "{\"files\": [{\"file\": \"a\", \"source\": \"kind: system\"}], \"prune\": \"all\"}",
            "{\"files\": [{\"file\": \"a\", \"source\": \"kind: system\"}], \"prune\": \"delete\"}",
            "{\"files\": [{\"file\": \"a\", \"source\": \"kind: system\"}], \"dry\": true}")) {
      assertThat(api.post("/api/v1/apply", bad).status()).as(bad).isEqualTo(422);
    }
    assertThat(api.store.stored()).isZero();
  }

  @Test
  void a_set_that_is_too_large_is_refused_as_a_whole() {
    var bomb = new StringBuilder("name: %s\nx-a: &a {A: \"" + "x".repeat(9_000) + "\"}\ntasks:\n");
    for (int i = 0; i < 100; i++) {
      bomb.append("  - {name: t").append(i).append(", command: [echo], env: *a}\n");
    }
    var files = new TreeMap<String, String>();
    for (int i = 0; i < 20; i++) {
      files.put(i + ".yaml", bomb.toString().formatted("w" + i));
    }
    var refused = apply(files);
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.json().get("detail").asText()).contains("too large at", "in parts");

    assertThat(apply(Map.of("a.yaml", "# " + "x".repeat(3 << 20))).status()).isEqualTo(413);
    assertThat(api.store.stored()).isZero();
  }

  @Test
  void two_callers_at_once_apply_one_after_the_other() throws Exception {
    var calls = new ArrayList<CompletableFuture<Answer>>();
    for (int i = 1; i <= 4; i++) {
      var files = Map.of("a.yaml", workflow("a", i), "b.yaml", workflow("b", i));
      calls.add(CompletableFuture.supplyAsync(() -> apply(files)));
    }
    for (var call : calls) {
      assertThat(call.get().status()).isEqualTo(200);
    }
    var a = api.fetch("/api/v1/workflows/a").json();
    var b = api.fetch("/api/v1/workflows/b").json();
    assertThat(a.get("version").asInt()).isEqualTo(4);
    assertThat(a.get("source").asText().replace("name: a", "name: b"))
        .isEqualTo(b.get("source").asText());
  }

  private Answer apply(Map<String, String> files, Object... fields) {
    ObjectNode body = ApiFixture.JSON.createObjectNode();
    var list = body.putArray("files");
    new TreeMap<>(files)
        .forEach((file, source) -> list.addObject().put("file", file).put("source", source));
    for (int i = 0; i < fields.length; i += 2) {
      body.set((String) fields[i], ApiFixture.JSON.valueToTree(fields[i + 1]));
    }
    return api.post("/api/v1/apply", body.toString());
  }

  private static String workflow(String name, int content) {
    return "name: %s\ntasks:\n  - {name: t, command: [echo, \"%d\"]}\n".formatted(name, content);
  }

  private static List<String> actions(Answer answer) {
    return answer
        .json()
        .get("items")
        .valueStream()
        .map(item -> item.get("action").asText() + " " + item.get("name").asText())
        .toList();
  }

  private static List<String> names(Answer answer) {
    return answer
        .json()
        .get("items")
        .valueStream()
        .map((JsonNode item) -> item.get("name").asText())
        .toList();
  }
}
