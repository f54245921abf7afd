package dev.belay.fuzz.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.belay.fuzz.run.Fuzzer;
import dev.belay.fuzz.run.Outcome;
import dev.belay.fuzz.tested.Product;
import dev.belay.fuzz.tested.ServerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code belay fuzz}. */
@Command(
    name = "belay fuzz",
    description = {
      "Throw requests at a server of its own: every REST route, the worker protocol, workflow"
          + " files.",
      "A seed decides what is sent. docs/fuzzing.md tells what is checked.",
      "Exit 1 when something was found, or when a route was not reached."
    },
    descriptionHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%n",
    footer = {
      "  ./belay fuzz --requests 50000 --seed 1",
      "  ./belay fuzz --seed 1 --only 4711",
      "  ./belay fuzz --product ../other-checkout --requests 2000"
    },
    sortOptions = false,
    usageHelpAutoWidth = true)
public final class Fuzz implements Callable<Integer> {

  private static final int BROKE = 3;
  private static final int CONNECTIONS_MAX = 64;
  private static final Duration TELL_EVERY = Duration.ofSeconds(5);
  private static final JsonMapper JSON = new JsonMapper();

  /** The format of the report. */
  enum Format {
    TABLE,
    JSON
  }

  @Option(
      names = "--requests",
      paramLabel = "N",
      description = "How many (default: ${DEFAULT-VALUE}).")
  long requests = 2_000;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Decides what they are (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(
      names = "--only",
      paramLabel = "N|A..B",
      description = "Only these requests of the seed, as a finding names them.")
  @Nullable String only;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "Clients at a time (default: ${DEFAULT-VALUE}).")
  int connections = 6;

  @Option(
      names = "--findings",
      paramLabel = "N",
      description = "End after so many (default: ${DEFAULT-VALUE}).")
  int findingsMax = 10;

  @Option(
      names = "--product",
      paramLabel = "CHECKOUT",
      description = "Try the server of another checkout (default: this one).")
  @Nullable Path product;

  @Option(names = "--dir", paramLabel = "FOLDER", description = "Keep the server's files here.")
  @Nullable Path folder;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table or json (default: table).")
  Format output = Format.TABLE;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Spec CommandSpec spec;

  private final PrintStream out;
  private final PrintStream err;
  private final SecureRandom secrets;
  private final LongSupplier nanos;

  /**
   * @param err gets the progress
   * @param secrets for the password of the database
   * @param nanos the real time
   */
  public Fuzz(PrintStream out, PrintStream err, SecureRandom secrets, LongSupplier nanos) {
    this.out = out;
    this.err = err;
    this.secrets = secrets;
    this.nanos = nanos;
  }

  /** The exit status: 0 passed, 1 failed, 2 usage, 3 the fuzzer itself failed. */
  public static int execute(Fuzz fuzz, String... args) {
    return new CommandLine(fuzz)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(fuzz.out, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(fuzz.err, true, StandardCharsets.UTF_8))
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              e.printStackTrace(fuzz.err);
              return BROKE;
            })
        .execute(args);
  }

  @Override
  public Integer call() throws Exception {
    var wanted = new Product(product);
    var plan = plan();
    if (!wanted.fault().isEmpty()) {
      throw misused(wanted.fault());
    }
    Path work =
        folder == null ? Files.createTempDirectory("belay-fuzz") : Files.createDirectories(folder);
    try {
      Report report = fuzz(plan, wanted, work);
      print(report);
      return report.outcome().passed() ? 0 : 1;
    } finally {
      if (folder == null) {
        delete(work);
      }
    }
  }

  private Report fuzz(Fuzzer.Plan plan, Product wanted, Path work) throws Exception {
    err.println("fuzz: starting a server and preparing it");
    Path binaries = Path.of(System.getProperty("java.io.tmpdir"), "belay-fuzz-binaries");
    try (var server = ServerProcess.start(work, binaries, wanted, secrets, nanos);
        var fuzzer = new Fuzzer(plan, server, nanos)) {
      long start = nanos.getAsLong();
      Outcome outcome = fuzzer.run(new Told(start, plan.to() - plan.from() + 1));
      return new Report(plan.seed(), outcome, Duration.ofNanos(nanos.getAsLong() - start));
    }
  }

  private void print(Report report) throws JsonProcessingException {
    if (output == Format.JSON) {
      out.println(JSON.writeValueAsString(report.fields()));
    } else {
      report.lines().forEach(out::println);
    }
  }

  private Fuzzer.Plan plan() {
    if (requests < 1 || findingsMax < 1 || connections < 1 || connections > CONNECTIONS_MAX) {
      throw misused(
          "--requests and --findings must be positive, --connections from 1 to " + CONNECTIONS_MAX);
    }
    if (only == null) {
      return new Fuzzer.Plan(seed, 1, requests, connections, findingsMax);
    }
    if (!only.matches("[0-9]{1,15}(\\.\\.[0-9]{1,15})?")) {
      throw misused("--only takes a number as 17, or a range as 1..200");
    }
    String[] ends = only.split("\\.\\.", -1);
    long from = Math.max(1, Long.parseLong(ends[0]));
    return new Fuzzer.Plan(
        seed,
        from,
        Math.max(from, Long.parseLong(ends[ends.length - 1])),
        connections,
        findingsMax);
  }

  private ParameterException misused(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  private static void delete(Path folder) throws IOException {
    try (var all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  /** Prints the progress every few seconds. */
  private final class Told implements Fuzzer.Listener {
    private final long start;
    private final long all;
    private long last;

    Told(long start, long all) {
      this.start = start;
      this.all = all;
      this.last = start;
    }

    @Override
    public void progress(long done, int findings) {
      long now = nanos.getAsLong();
      if (now - last >= TELL_EVERY.toNanos()) {
        last = now;
        double seconds = (now - start) / 1e9;
        err.printf(
            Locale.ROOT,
            "fuzz: %,d of %,d requests, %.0f a second, %d findings%n",
            done,
            all,
            done / seconds,
            findings);
      }
    }
  }
}
