package dev.belay.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.belay.server.api.ApiFixture.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Pools, topics and tenants as a caller sees them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SystemApiTest {

  private ApiFixture api;

  @BeforeAll
  void start(@TempDir Path folder) {
    api = new ApiFixture(folder);
  }

  @BeforeEach
  void clear() {
    api.store.clear();
    api.store.worker();
  }

  @AfterAll
  void stop() {
    api.close();
  }

  @Test
  void a_pool_is_declared_shown_changed_and_removed() {
    var created =
        put(
            "/pools/gpu",
            """
            {"state": "draining", "slots": 40, "capabilities": ["ssd", "gpu"], "strategy": "pack",
             "description": "big"}
            """);
    assertThat(created.status()).isEqualTo(201);
    assertThat(created.json().get("capabilities").toString()).isEqualTo("[\"gpu\",\"ssd\"]");
    var tag = created.header("etag");
    assertThat(tag).isEqualTo("\"" + created.json().get("version").asLong() + "\"");
    assertThat(api.fetch("/api/v1/pools/gpu").json()).isEqualTo(created.json());
    assertThat(created.json().get("declared_in").asText()).isEqualTo("api");

    var changed = put("/pools/gpu", "{\"slots\": 8}", "If-Match", tag);
    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.json().get("state").asText()).isEqualTo("active");
    var lost = put("/pools/gpu", "{\"slots\": 9}", "If-Match", tag);
    assertThat(lost.status()).isEqualTo(412);
    assertThat(lost.json().get("type").asText()).isEqualTo("urn:belay:problem:version-outdated");
    assertThat(put("/pools/gpu", "{}", "If-None-Match", "*").status()).isEqualTo(412);
    assertThat(put("/pools/gpu", "{}", "If-Match", "7").status()).isEqualTo(400);

    assertThat(delete("/pools/gpu", "If-Match", tag).status()).isEqualTo(412);
    assertThat(delete("/pools/gpu").status()).isEqualTo(200);
    assertThat(delete("/pools/gpu").status()).isEqualTo(404);
    assertThat(api.fetch("/api/v1/pools/gpu").status()).isEqualTo(404);
    assertThat(api.fetch("/api/v1/pools/default").json().get("declared_in").isNull()).isTrue();
  }

  @Test
  void topics_and_tenants_have_the_rules_of_the_system_file() {
    var topic = put("/topics/etl.load", "{\"pools\": [\"nowhere\"]}");
    assertThat(topic.status()).isEqualTo(201);
    assertThat(topic.json().get("warnings").get(0).asText())
        .isEqualTo("no worker serves a pool of the topic 'etl.load'");
    var tenant =
        put("/tenants/data", "{\"weight\": 2, \"submit_rate\": {\"max\": 10, \"per\": \"1s\"}}");
    assertThat(tenant.json().get("submit_rate").toString())
        .isIn("{\"max\":10,\"per\":\"1s\"}", "{\"per\":\"1s\",\"max\":10}");
    assertThat(tenant.json().get("max_running").isNull()).isTrue();

    assertThat(fault(put("/topics/t", "{\"pools\": []}"))).startsWith("pools: 'pools' is empty");
    assertThat(fault(put("/topics/Up", "{\"pools\": [\"a\"]}"))).contains("the name 'Up' must be");
    assertThat(fault(put("/tenants/t", "{\"weight\": 0}"))).startsWith("weight: 'weight' must be");
    assertThat(fault(put("/pools/p", "{\"size\": 0}"))).startsWith("size: unknown key 'size'");
    assertThat(fault(put("/pools/p", "{\"capabilities\": [\"a\", \"a\"]}")))
        .startsWith("capabilities[1]: 'a' is listed twice");
  }

  @Test
  void lists_are_by_name_and_in_pages() {
    for (var name : new String[] {"c", "a", "b"}) {
      put("/tenants/" + name, "{}");
    }
    var first = api.fetch("/api/v1/tenants?limit=2").json();
    assertThat(names(first)).containsExactly("a", "b");
    var rest = api.fetch("/api/v1/tenants?limit=2&cursor=" + first.get("next").asText()).json();
    assertThat(names(rest)).containsExactly("c");
    assertThat(rest.get("next").isNull()).isTrue();
    assertThat(names(api.fetch("/api/v1/pools").json())).containsExactly("default");
    assertThat(names(api.fetch("/api/v1/topics").json())).isEmpty();
  }

  @Test
  void what_the_system_file_declares_only_the_system_file_changes() {
    put("/pools/gpu", "{\"slots\": 3}");
    var file = "kind: system\\npools: {gpu: {slots: 4}}\\n";
    var applied =
        api.post(
            "/api/v1/apply", "{\"files\": [{\"file\": \"s.yaml\", \"source\": \"" + file + "\"}]}");
    assertThat(applied.status()).as(applied.text()).isEqualTo(200);

    var refused = put("/pools/gpu", "{\"slots\": 5}");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().get("type").asText())
        .isEqualTo("urn:belay:problem:declared-in-system-file");
    assertThat(delete("/pools/gpu").status()).isEqualTo(409);
    var shown = api.fetch("/api/v1/pools/gpu").json();
    assertThat(shown.get("slots").asInt()).isEqualTo(4);
    assertThat(shown.get("declared_in").asText()).isEqualTo("system_file");
  }

  @Test
  void submits_and_registers_warn_about_what_nobody_serves() {
    var task = "{\"command\": [\"x\"]%s}";
    assertThat(api.post("/api/v1/tasks", task.formatted("")).json().has("warnings")).isFalse();
    var warned = api.post("/api/v1/tasks", task.formatted(", \"pool\": \"gpuu\"")).json();
    assertThat(warned.get("warnings").get(0).asText())
        .isEqualTo("no worker serves the pool 'gpuu', and nothing declares it");
    var bulk =
        api.post(
                "/api/v1/tasks",
                "{\"tasks\": [%s, %s]}"
                    .formatted(
                        task.formatted(", \"topic\": \"none\""),
                        task.formatted(", \"topic\": \"none\"")))
            .json();
    assertThat(bulk.get("tasks")).hasSize(2);
    assertThat(bulk.get("warnings")).hasSize(1);

    var registered =
        api.postYaml(
            "/api/v1/workflows", "name: w\ntasks:\n  - {name: t, command: [x], topic: no}");
    var warning = registered.json().get("warnings").get(0);
    assertThat(warning.get("line").asInt()).isEqualTo(3);
    assertThat(warning.get("message").asText()).startsWith("no topic 'no' is declared");
  }

  @Test
  void a_tenant_at_its_limit_gets_429_with_a_time_and_an_impossible_submit_422() {
    put("/tenants/data", "{\"max_waiting\": 2, \"submit_rate\": {\"max\": 100, \"per\": \"1h\"}}");
    var task = "{\"command\": [\"x\"], \"tenant\": \"data\"}";
    assertThat(api.post("/api/v1/tasks", task).status()).isEqualTo(201);
    assertThat(api.post("/api/v1/tasks", task).status()).isEqualTo(201);
    var full = api.post("/api/v1/tasks", task);
    assertThat(full.status()).isEqualTo(429);
    assertThat(full.header("retry-after")).isEqualTo("1");
    assertThat(full.json().get("type").asText()).isEqualTo("urn:belay:problem:tenant-limit");
    var three = "{\"tasks\": [%s, %s, %s]}".formatted(task, task, task);
    assertThat(api.post("/api/v1/tasks", three).status()).isEqualTo(422);

    api.postYaml("/api/v1/workflows", "name: w\ntenant: data\ntasks: [{name: t, command: [x]}]");
    assertThat(api.post("/api/v1/workflows/w/runs?tenant=data", "{}").status()).isEqualTo(429);
    assertThat(api.store.count("run")).isZero();
    put("/tenants/data", "{}");
    assertThat(api.post("/api/v1/workflows/w/runs?tenant=data", "{}").status()).isEqualTo(201);
  }

  private Answer put(String path, String body, String... headers) {
    var request =
        api.request("/api/v1" + path)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return api.send(request);
  }

  private Answer delete(String path, String... headers) {
    var request = api.request("/api/v1" + path).DELETE();
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return api.send(request);
  }

  private static String fault(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(422);
    var error = answer.json().get("errors").get(0);
    return error.get("field").asText() + ": " + error.get("message").asText();
  }

  private static List<String> names(JsonNode page) {
    List<String> names = new ArrayList<>();
    page.get("items").forEach(item -> names.add(item.get("name").asText()));
    return names;
  }
}
