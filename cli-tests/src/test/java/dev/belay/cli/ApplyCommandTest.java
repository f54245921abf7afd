package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.cli.FakeServer.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What apply, diff, export and rollback-version read, send, ask and print. */
class ApplyCommandTest {

  private static final String APPLY = "POST /api/v1/apply";
  private static final String CHANGED =
      """
      {"dry_run": true, "changes": true, "plan": "p1",
       "counts": {"create": 1, "change": 1, "unchanged": 1, "delete": 1},
       "items": [
         {"action": "create", "kind": "workflow", "tenant": "default", "name": "new", "version": 1, "file": "new.yaml"},
         {"action": "change", "kind": "workflow", "tenant": "team", "name": "etl", "version": 4, "file": "etl.yaml",
          "diff": "--- etl version 3\\n+++ etl.yaml\\n@@ -1 +1 @@\\n-a\\n+b\\u001b[2J\\n"},
         {"action": "unchanged", "kind": "workflow", "tenant": "default", "name": "same", "version": 2, "file": "s.yaml"},
         {"action": "delete", "kind": "workflow", "tenant": "default", "name": "old", "version": 7, "file": null}],
       "warnings": [{"file": "new.yaml", "line": 3, "column": 9, "message": "no worker serves the pool 'gpu'"}]}
      """;
  private static final String SAME =
      """
      {"changes": false, "plan": "p0", "counts": {"unchanged": 1}, "warnings": [], "items":
       [{"action": "unchanged", "kind": "workflow", "tenant": "default", "name": "same", "version": 2, "file": "s.yaml"}]}
      """;

  @TempDir Path home;
  private Path flows;
  private FakeServer server;
  private Shell shell;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    shell = new Shell(home).server(server);
    flows = Files.createDirectory(home.resolve("flows"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void apply_sends_every_visible_yaml_file_of_the_folder_once_and_prints_the_plan()
      throws IOException {
    write("b.yaml", "b");
    write("sub/a.yml", "a");
    write(".hidden.yaml", "hidden");
    write(".git/c.yaml", "hidden");
    write("notes.txt", "no");
    Files.createSymbolicLink(flows.resolve("loop"), flows);
    Files.createSymbolicLink(flows.resolve("again.yaml"), flows.resolve("b.yaml"));
    server.on(APPLY, Said.json(CHANGED));

    var result = shell.run("apply", flows.toString());

    assertThat(result.status()).as(result.err()).isZero();
    assertThat(server.only("/api/v1/apply").body())
        .isEqualTo(
            "{\"files\":[{\"file\":\"%1$s/again.yaml\",\"source\":\"b\"},{\"file\":\"%1$s/sub/a.yml\",\"source\":\"a\"}],\"prune\":\"keep\"}"
                .formatted(flows));
    assertThat(result.out())
        .isEqualTo(
            """
            unchanged same  s.yaml
            create    new version 1  new.yaml
            change    etl (tenant team) version 4  etl.yaml
                --- etl version 3
                +++ etl.yaml
                @@ -1 +1 @@
                -a
                +b␛[2J
            delete    old
            Applied: 1 create, 1 change, 1 delete, 1 unchanged.
            """);
    assertThat(result.err()).isEqualTo("new.yaml:3:9: warning: no worker serves the pool 'gpu'\n");
  }

  @Test
  void apply_reports_all_problems_of_the_server_as_file_line_column() throws IOException {
    write("a.yaml", "a");
    server.on(
        APPLY,
        Said.problem(
            422,
            """
            {"status": 422, "detail": "The files have errors; nothing was applied.", "errors": [
              {"file": "a.yaml", "line": 2, "column": 1, "message": "bad"},
              {"file": "b.yaml", "line": 3, "column": 4, "message": "worse"}]}
            """));
    var result = shell.run("apply", flows.toString());
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .isEqualTo(
            """
            a.yaml:2:1: bad
            b.yaml:3:4: worse
            belay: The files have errors; nothing was applied.
            """);
  }

  @Test
  void files_that_cannot_be_read_are_all_named_and_nothing_is_sent() throws Exception {
    write("a.yaml", "a");
    Files.createSymbolicLink(flows.resolve("broken.yaml"), flows.resolve("nothing"));
    Files.write(flows.resolve("latin.yaml"), new byte[] {(byte) 0xe4});
    assertThat(
            new ProcessBuilder("mkfifo", flows.resolve("pipe.yaml").toString()).start().waitFor())
        .isZero();

    var result = shell.run("apply", flows.toString());

    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .contains(
            "broken.yaml", "latin.yaml: it is not UTF-8 text", "pipe.yaml: it is not a regular")
        .contains("3 files cannot be read; nothing was applied.");
    assertThat(server.asked).isEmpty();
    Files.delete(flows.resolve("pipe.yaml"));
  }

  @Test
  void an_empty_folder_is_a_mistake() {
    var result = shell.run("apply", flows.toString(), "--prune", "--yes");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("There is no *.yaml or *.yml file in " + flows);
  }

  @Test
  void prune_without_a_terminal_needs_yes() throws IOException {
    write("a.yaml", "a");
    server.on(APPLY, Said.json(CHANGED));

    var result = shell.run("apply", flows.toString(), "--prune");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .contains("delete    old")
        .contains("This would delete 1 workflow, and nobody can be asked here")
        .contains("Add --yes.");
    assertThat(server.only("/api/v1/apply").body()).contains("\"dry_run\":true");

    server.asked.clear();
    assertThat(shell.run("apply", flows.toString(), "--prune", "--yes").status()).isZero();
    assertThat(server.only("/api/v1/apply").body())
        .contains("\"prune\":\"delete\"")
        .doesNotContain("dry_run");
  }

  @Test
  void prune_on_a_terminal_asks_first_and_applies_the_confirmed_plan() throws IOException {
    write("a.yaml", "a");
    server.on(APPLY, Said.json(CHANGED));
    shell.terminal = true;
    shell.env.put("NO_COLOR", "1");

    for (var no : new String[] {"n\n", "\n", ""}) {
      shell.typed = no;
      var declined = shell.run("apply", flows.toString(), "--prune");
      assertThat(declined.status()).isEqualTo(1);
      assertThat(declined.err()).contains("Delete 1 workflow? [y/N] ", "Nothing was changed.");
    }
    assertThat(server.asked).hasSize(3).allMatch(asked -> asked.body().contains("dry_run"));

    server.asked.clear();
    shell.typed = "yes\n";
    assertThat(shell.run("apply", flows.toString(), "--prune").status()).isZero();
    assertThat(server.asked).hasSize(2);
    assertThat(server.asked.getLast().body()).contains("\"plan\":\"p1\"").doesNotContain("dry_run");
  }

  @Test
  void colours_are_for_terminals() throws IOException {
    write("a.yaml", "a");
    server.on(APPLY, Said.json(CHANGED));
    shell.terminal = true;
    assertThat(shell.run("apply", flows.toString()).out())
        .contains("\u001b[31m-a\u001b[0m", "\u001b[32m+b");
  }

  @Test
  void diff_exits_1_when_something_would_change() throws IOException {
    write("a.yaml", "a");
    server.on(APPLY, Said.json(CHANGED));
    assertThat(shell.run("diff", flows.toString()).status()).isEqualTo(1);
    assertThat(server.only("/api/v1/apply").body()).contains("\"dry_run\":true");
    server.on(APPLY, Said.json(SAME));
    var same = shell.run("diff", flows.toString());
    assertThat(same.status()).isZero();
    assertThat(same.err()).contains("Nothing to change: 1 unchanged.");
    assertThat(shell.run("apply", flows.toString()).out()).contains("Nothing to change");
  }

  @Test
  void a_set_that_the_server_finds_too_large_gets_advice() throws IOException {
    write("a.yaml", "a");
    server.on(APPLY, Said.problem(413, "{\"detail\": \"The body is larger.\"}"));
    var result = shell.run("apply", flows.toString());
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err()).contains("in 1 files", "body-max", "without --prune");
  }

  @Test
  void export_writes_files_that_it_may_and_never_outside_of_its_folder() throws IOException {
    server.on(
        "GET /api/v1/workflows",
        Said.json("{\"items\": [{\"name\": \"etl\"}, {\"name\": \"load\"}], \"next\": null}"));
    server.on("GET /api/v1/workflows/etl", Said.json("{\"source\": \"name: etl\\n\"}"));
    server.on("GET /api/v1/workflows/load", Said.json("{\"source\": \"name: load\"}"));
    server.on("GET /api/v1/system", Said.json("{\"source\": \"kind: system\\n\", \"pools\": []}"));
    var to = home.resolve("out/deep");

    var result = shell.run("export", "--to", to.toString());
    assertThat(result.status()).as(result.err()).isZero();
    assertThat(to.resolve("etl.yaml")).hasContent("name: etl\n");
    assertThat(to.resolve("load.yaml")).hasContent("name: load");
    assertThat(to.resolve("_system.yaml")).hasContent("kind: system\n");
    assertThat(shell.run("export", "--to", to.toString()).out()).contains("3 files, 0 written");

    var outside = Files.writeString(home.resolve("precious"), "keep");
    Files.delete(to.resolve("etl.yaml"));
    Files.createSymbolicLink(to.resolve("etl.yaml"), outside);
    var refused = shell.run("export", "--to", to.toString());
    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).contains("etl.yaml differs", "nothing was written", "--force");
    assertThat(shell.run("export", "--to", to.toString(), "--force").status()).isZero();
    assertThat(outside).hasContent("keep");
    assertThat(to.resolve("etl.yaml")).hasContent("name: etl\n");
    assertThat(shell.run("export", "etl").out()).isEqualTo("name: etl\n");
  }

  @Test
  void export_of_a_part_of_the_list_is_refused() {
    server.on("GET /api/v1/workflows", Said.json("{\"items\": [], \"next\": \"more\"}"));
    var result = shell.run("export", "--to", home.resolve("out").toString());
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.err()).contains("more than 100,000 workflows; nothing was written");
    assertThat(home.resolve("out")).doesNotExist();
  }

  @Test
  void export_refuses_names_that_are_paths() {
    server.on(
        "GET /api/v1/workflows",
        Said.json("{\"items\": [{\"name\": \"../../evil\"}], \"next\": null}"));
    for (var args :
        new String[][] {
          {"export", "--to", home.resolve("out").toString()},
          {"export", "../x", "--to", home.resolve("out").toString()},
          {"export", "a/b"}
        }) {
      var result = shell.run(args);
      assertThat(result.status()).isEqualTo(2);
      assertThat(result.err()).contains("is not the name of a workflow; nothing was written.");
    }
    assertThat(home.resolve("out")).doesNotExist();
  }

  @Test
  void rollback_tells_whether_it_made_a_version() {
    server.on(
        "POST /api/v1/workflows/etl/rollback",
        Said.json("{\"version\": 5, \"created\": true, \"restored\": false}"));
    assertThat(shell.run("rollback-version", "etl", "2").out())
        .isEqualTo("etl version 5 has the content of version 2.\n");
    assertThat(server.only("/api/v1/workflows/etl/rollback").body()).isEqualTo("{\"version\":2}");
    server.on(
        "POST /api/v1/workflows/etl/rollback",
        Said.json("{\"version\": 5, \"created\": false, \"restored\": true}"));
    var same = shell.run("rollback-version", "etl", "5");
    assertThat(same.out()).startsWith("Nothing to change: etl version 5");
    assertThat(same.err()).contains("It was deleted, and is back.");
  }

  @Test
  void versions_are_a_table() {
    server.on(
        "GET /api/v1/workflows/etl/versions",
        Said.json(
            "{\"items\": [{\"version\": 2, \"task_count\": 3, \"created_by\": \"me\","
                + " \"created_at\": \"2026-03-01T12:00:00Z\"}], \"next\": null}"));
    assertThat(shell.run("versions", "etl").out())
        .isEqualTo("VERSION  TASKS  REGISTERED  BY\n2        3      10s ago     me\n");
  }

  @Test
  void validate_takes_system_files() throws IOException {
    write("system.yaml", "kind: system\npools: {gpu: {}}\n");
    var file = flows.resolve("system.yaml").toString();
    assertThat(shell.run("validate", file).out())
        .isEqualTo(file + ": valid, system file with 1 pool\n");
  }

  private void write(String name, String text) throws IOException {
    var file = flows.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
