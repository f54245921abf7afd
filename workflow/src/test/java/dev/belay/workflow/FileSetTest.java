package dev.belay.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.workflow.FileSet.Limits;
import dev.belay.workflow.FileSet.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class FileSetTest {

  private static final Limits LIMITS = new Limits(300_000, 1 << 20);

  @Test
  void a_set_has_workflows_and_a_system_file() {
    var set =
        valid(
            new Source("a.yaml", workflow("a")),
            new Source(
                "system.yaml", "kind: system\npools:\n  gpu: {description: big}\n  cpu: {}\n"),
            new Source("flows/single.yaml", "task: {command: [true]}"));
    assertThat(set.workflows().stream().map(FileSet.Workflow::name)).containsExactly("a", "single");
    assertThat(Objects.requireNonNull(set.system()).spec().toJson())
        .isEqualTo("{\"pools\":{\"cpu\":{},\"gpu\":{\"description\":\"big\"}}}");
  }

  @Test
  void all_problems_of_all_files_come_at_once_with_their_places() {
    assertThat(
            problems(
                new Source("a.yaml", "name: a\ntaks: []\n"),
                new Source("b.yaml", workflow("same")),
                new Source("c.yaml", "# c\n" + workflow("same")),
                new Source("d.yaml", "name: [\n"),
                new Source("e.yaml", "kind: system\n"),
                new Source("f.yaml", "# second\nkind: system\n")))
        .satisfiesExactly(
            a -> assertThat(a).startsWith("a.yaml:2:1: unknown key 'taks' in a workflow"),
            c ->
                assertThat(c)
                    .isEqualTo(
                        "c.yaml:2:7: the workflow 'same' is already in b.yaml, line 1; give one of"
                            + " them another name"),
            d -> assertThat(d).startsWith("d.yaml:2:1: "),
            f ->
                assertThat(f)
                    .isEqualTo(
                        "f.yaml:2:1: a set has one system file, and e.yaml is one; join them"));
  }

  @Test
  void one_name_in_two_tenants_is_two_workflows() {
    assertThat(
            valid(
                    new Source("a.yaml", workflow("a")),
                    new Source("b.yaml", "tenant: other\n" + workflow("a")))
                .workflows())
        .hasSize(2);
  }

  @Test
  void a_system_file_refuses_reserved_unknown_and_bad_keys() {
    assertThat(
            problems(
                new Source(
                    "s.yaml",
                    """
                    kind: system
                    webhooks: {}
                    pool: {}
                    pools:
                      Gpu: {}
                      cpu:
                      tpu: {size: 3}
                    """)))
        .satisfiesExactly(
            webhooks ->
                assertThat(webhooks).contains(":2:1: 'webhooks' is reserved, not supported"),
            pool -> assertThat(pool).contains("unknown key 'pool'", "did you mean 'pools'?"),
            name -> assertThat(name).contains(":5:3: key 'Gpu' in 'pools' must be a name"),
            nothing -> assertThat(nothing).contains("must be a mapping", "not nothing"),
            size -> assertThat(size).contains(":7:9: unknown key 'size' in a pool"));
  }

  @Test
  void a_system_file_declares_pools_topics_and_tenants_whose_order_has_no_meaning() {
    var text =
        """
        kind: system
        tenants:
          data: {weight: 2, max_running: 100, max_waiting: 5000, submit_rate: {max: 10, per: 1s}}
          another: {}
        topics:
          etl.load: {pools: [gpu, batch], description: loads}
        pools:
          gpu: {state: draining, slots: 40, capabilities: [ssd, gpu], strategy: pack}
          batch: {description: others, state: active, strategy: spread}
        """;
    var system = Objects.requireNonNull(valid(new Source("s.yaml", text)).system());
    assertThat(system.spec().toJson())
        .isEqualTo(
            "{\"pools\":{\"batch\":{\"description\":\"others\"},"
                + "\"gpu\":{\"state\":\"draining\",\"slots\":40,"
                + "\"capabilities\":[\"gpu\",\"ssd\"],\"strategy\":\"pack\"}},"
                + "\"topics\":{\"etl.load\":{\"description\":\"loads\",\"pools\":[\"batch\",\"gpu\"]}},"
                + "\"tenants\":{\"another\":{},\"data\":{\"weight\":2,\"max_running\":100,"
                + "\"max_waiting\":5000,\"submit_rate\":{\"max\":10,\"per\":\"1s\"}}}}");
  }

  @Test
  void a_system_file_with_bad_pools_topics_and_tenants_is_refused_at_each_place() {
    assertThat(
            problems(
                new Source(
                    "s.yaml",
                    """
                    kind: system
                    pools:
                      gpu: {state: paused, slots: 0, capabilities: [gpu, gpu], strategy: random}
                    topics:
                      etl: {pools: []}
                      load: {}
                      Up: {pools: [a, b, a]}
                    tenants:
                      data: {weight: 0, max_running: -1, submit_rate: {max: 10}}
                    """)))
        .satisfiesExactly(
            state -> assertThat(state).contains(":3:16: 'state' must be one of active, draining"),
            slots -> assertThat(slots).contains(":3:31: 'slots' must be a whole number from 1"),
            twice -> assertThat(twice).contains(":3:54: 'gpu' is listed twice in 'capabilities'"),
            pack -> assertThat(pack).contains("'strategy' must be one of spread, pack"),
            none -> assertThat(none).contains(":5:16: 'pools' is empty"),
            missing -> assertThat(missing).contains(":6:9: 'pools' is missing in a topic"),
            name -> assertThat(name).contains(":7:3: key 'Up' in 'topics' must be a topic"),
            pools -> assertThat(pools).contains(":7:22: 'a' is listed twice in 'pools'"),
            weight -> assertThat(weight).contains("'weight' must be a whole number from 1 to 1000"),
            running -> assertThat(running).contains("'max_running' must be a whole number from 0"),
            rate -> assertThat(rate).contains("'per' is missing in 'submit_rate'"));
  }

  @Test
  void a_system_file_has_calendars_whose_order_has_no_meaning() {
    var text =
        """
        kind: system
        calendars:
          work: {business_days: true, weekdays: [mon], description: closed}
          days: {dates: [2027-05-01, "2026-12-24..2027-01-01", 2027-05-01]}
          empty: {}
        """;
    var system = Objects.requireNonNull(valid(new Source("s.yaml", text)).system());
    assertThat(system.calendarsAt().shown()).isEqualTo("line 2");
    assertThat(system.spec().toJson())
        .isEqualTo(
            "{\"pools\":{},\"calendars\":{"
                + "\"days\":{\"dates\":[\"2026-12-24..2027-01-01\",\"2027-05-01\"]},\"empty\":{},"
                + "\"work\":{\"description\":\"closed\",\"weekdays\":[\"MONDAY\",\"SATURDAY\",\"SUNDAY\"]}}}");
    for (var calendar : system.spec().calendars()) {
      assertThat(SpecCodec.calendarFromJson(calendar.name(), SpecCodec.calendarToJson(calendar)))
          .isEqualTo(calendar);
    }
  }

  @Test
  void wrong_calendars_are_refused_at_their_places() {
    assertThat(
            problems(
                new Source(
                    "s.yaml",
                    """
                    kind: system
                    calendars:
                      a: {weekdays: [saturday]}
                      b: {dates: [2026-02-30]}
                      c: {dates: ["2027-01-01..2026-01-01", 1969-01-01, soon]}
                      d: {weekdays: [mon, tue, wed, thu, fri], business_days: true}
                      e: {days: [mon]}
                      F: {}
                      g: {business_days: maybe}
                    """)))
        .satisfiesExactly(
            a -> assertThat(a).contains(":3:18: each of 'weekdays' must be one of mon, tue"),
            b -> assertThat(b).contains(":4:15: each of 'dates' must be a date such as"),
            turned -> assertThat(turned).contains(":5:15: the range 2027-01-01..2026-01-01 ends"),
            old -> assertThat(old).contains(":5:41: each of 'dates' must be a date"),
            soon -> assertThat(soon).contains("not 'soon'"),
            d -> assertThat(d).contains(":6:6: the calendar 'd' has every day of the week"),
            e -> assertThat(e).contains(":7:7: unknown key 'days' in a calendar"),
            f -> assertThat(f).contains(":8:3: key 'F' in 'calendars' must be a name"),
            g -> assertThat(g).contains("'business_days' must be true or false"));
  }

  @Test
  void the_places_of_what_triggers_name_are_known() {
    var set =
        valid(
            new Source(
                "a.yaml",
                """
                name: a
                triggers:
                  - {every: 5m, calendar: holidays}
                  - workflow: up
                tasks: [{name: x, command: [true]}]
                """));
    assertThat(
            set.workflows().getFirst().triggers().stream()
                .map(use -> use.what() + " " + use.name() + " " + use.at().shown()))
        .containsExactly("CALENDAR holidays line 3", "WORKFLOW up line 4");
  }

  @Test
  void a_system_file_is_no_workflow_and_a_workflow_may_say_that_it_is_one() {
    assertThat(WorkflowFile.parse("s.yaml", "kind: system\n"))
        .isInstanceOfSatisfying(
            Parsed.Invalid.class,
            invalid ->
                assertThat(invalid.problems())
                    .singleElement()
                    .hasToString(
                        "s.yaml:1:1: this is a system file, not a workflow; `belay apply` applies"
                            + " it"));
    ParsedFiles.valid("kind: workflow\n" + workflow("a"));
  }

  @Test
  void the_places_of_named_pools_are_known() {
    var set =
        valid(
            new Source(
                "a.yaml",
                """
                name: a
                defaults: {pool: big}
                tasks:
                  - {name: x, command: [true]}
                  - {name: y, command: [true], pool: gpu}
                """));
    assertThat(
            set.workflows().getFirst().routes().stream()
                .map(use -> use.pool() + " " + use.at().shown()))
        .containsExactly("big line 2", "gpu line 5");
  }

  @Test
  void small_files_that_write_out_to_huge_specs_are_refused_together() {
    var text = new StringBuilder("name: %s\nx-a: &a {A: \"" + "x".repeat(1_000) + "\"}\ntasks:\n");
    for (int i = 0; i < 100; i++) {
      text.append("  - {name: t").append(i).append(", command: [true], env: *a}\n");
    }
    var sources = new ArrayList<Source>();
    for (int i = 0; i < 20; i++) {
      sources.add(new Source(i + ".yaml", text.toString().formatted("w" + i)));
    }
    assertThat(FileSet.parse(sources, LIMITS)).isInstanceOf(FileSet.TooLarge.class);
  }

  @Test
  void problems_beyond_the_limit_are_left_out() {
    var sources = new ArrayList<Source>();
    for (int i = 0; i < 2_000; i++) {
      sources.add(new Source(i + ".yaml", "name: [\n"));
    }
    assertThat(((FileSet.Invalid) FileSet.parse(sources, LIMITS)).problems())
        .hasSize(FileSet.PROBLEMS_MAX);
  }

  private static String workflow(String name) {
    return "name: " + name + "\ntasks: [{name: x, command: [true]}]\n";
  }

  private static FileSet.Valid valid(Source... sources) {
    return (FileSet.Valid) FileSet.parse(List.of(sources), LIMITS);
  }

  private static List<String> problems(Source... sources) {
    return ((FileSet.Invalid) FileSet.parse(List.of(sources), LIMITS))
        .problems().stream().map(Problem::toString).toList();
  }
}
