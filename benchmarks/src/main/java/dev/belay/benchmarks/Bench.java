package dev.belay.benchmarks;

import dev.belay.benchmarks.lab.Address;
import dev.belay.benchmarks.lab.Java;
import dev.belay.benchmarks.lab.Lab;
import dev.belay.benchmarks.lab.Postgres;
import dev.belay.benchmarks.report.Report;
import dev.belay.benchmarks.scenario.Scenario;
import dev.belay.benchmarks.scenario.Wanted;
import dev.belay.cli.command.OutputFormat;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code belay bench}. */
@Command(
    name = "belay bench",
    description = {
      "Measure Belay in processes of its own on a durable PostgreSQL; docs/benchmarks.md tells"
          + " what",
      "each scenario does. Exit 1 when the result cannot be believed."
    },
    descriptionHeading = "%n",
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%n",
    footer = {"  ./belay bench throughput --peers --limit", "  ./belay bench latency -o json"},
    usageHelpAutoWidth = true)
final class Bench implements Callable<Integer> {

  @Parameters(paramLabel = "SCENARIO", description = "One of ${COMPLETION-CANDIDATES}.")
  Scenario scenario;

  @Option(names = "--peers", description = "Measure db-scheduler, JobRunr and Quartz, too.")
  boolean peers;

  @Option(names = "--limit", description = "Measure our writes by plain pgjdbc, too.")
  boolean limit;

  @Option(
      names = "--tasks",
      paramLabel = "N",
      description = "Tasks in each repeat (default: what suits the scenario).")
  int tasks;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description = "Repeats after the warm-up (default: ${DEFAULT-VALUE}).")
  int repeats = 3;

  @Option(
      names = "--finished",
      paramLabel = "N",
      description = "Tasks of the past, for history (default: ${DEFAULT-VALUE}).")
  int finished = 2_000_000;

  @Option(
      names = "--waiting",
      paramLabel = "N",
      description =
          "Tasks that wait for a worker meanwhile, for memory (default: ${DEFAULT-VALUE}).")
  int waiting = 0;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "After throughput: a steady load for so long, with figures for each minute.")
  int minutes = 0;

  @Option(
      names = "--share",
      paramLabel = "0..1",
      description = "The steady load's share of the top speed (default: ${DEFAULT-VALUE}).")
  double share = 0.8;

  @Option(
      names = "--database-url",
      paramLabel = "JDBC-URL",
      description =
          "A PostgreSQL to use instead of one started here; gets databases belay_bench_*.")
  @Nullable String databaseUrl;

  @Option(names = "--user", paramLabel = "NAME", description = "Its user.")
  String user = "postgres";

  @Option(names = "--password-file", paramLabel = "FILE", description = "Holds its password.")
  @Nullable Path passwordFile;

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description = "Data and logs go in here and stay (default: a temporary folder).")
  @Nullable Path dir;

  @Option(
      names = "--server-option",
      paramLabel = "OPTION",
      description = "A further option of the server's JVM, as for a profile; repeatable.")
  List<String> serverOptions = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table or json (default: ${DEFAULT-VALUE}).")
  OutputFormat output = OutputFormat.TABLE;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  private final PrintStream out;
  private final PrintStream progress;

  Bench(PrintStream out, PrintStream progress) {
    this.out = out;
    this.progress = progress;
  }

  @Override
  public Integer call() throws Exception {
    if (tasks < 0 || repeats < 1 || finished < 1) {
      throw new IllegalArgumentException("--tasks, --repeats and --finished must be positive");
    }
    if (waiting < 0 || minutes < 0 || share <= 0 || share > 1) {
      throw new IllegalArgumentException(
          "--waiting and --minutes must not be negative, and --share must be between 0 and 1");
    }
    var folder =
        dir != null
            ? Files.createDirectories(dir.toAbsolutePath())
            : Files.createTempDirectory("belay-bench-");
    var report = measure(folder);
    if (dir == null) {
      delete(folder);
    }
    if (output == OutputFormat.JSON) {
      out.println(report.json());
    } else {
      report.lines().forEach(out::println);
    }
    return report.valid() ? 0 : 1;
  }

  private Report measure(Path folder) throws Exception {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    try (var postgres = postgres(folder);
        var lab = new Lab(folder, postgres, serverOptions, progress)) {
      var outcome = scenario.run(lab, wanted());
      var settings = settings(postgres);
      settings.put("load_before", "%.1f".formatted(load));
      settings.putAll(lab.notes());
      return new Report(scenario.toString(), outcome.complaints(), settings, outcome.results());
    }
  }

  private Wanted wanted() {
    return new Wanted(tasks, repeats, peers, limit, finished, waiting, minutes, share);
  }

  private Postgres postgres(Path folder) throws Exception {
    if (databaseUrl == null) {
      progress.println("bench: starting PostgreSQL in " + folder);
      return Postgres.embedded(folder);
    }
    var password = passwordFile == null ? "" : Files.readString(passwordFile).strip();
    return Postgres.given(new Address(databaseUrl, user, password));
  }

  private Map<String, String> settings(Postgres postgres) throws Exception {
    var settings = new LinkedHashMap<>(postgres.settings());
    settings.put("cores", "" + Runtime.getRuntime().availableProcessors());
    settings.put("java", Runtime.version().toString());
    settings.put("jvm_options", String.join(" ", Java.options()));
    settings.put("repeats", "" + repeats);
    return settings;
  }

  private static void delete(Path folder) throws IOException {
    try (var tree = Files.walk(folder)) {
      for (var path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
