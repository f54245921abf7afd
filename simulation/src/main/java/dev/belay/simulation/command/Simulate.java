package dev.belay.simulation.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.belay.simulation.Coverage;
import dev.belay.simulation.Result;
import dev.belay.simulation.Scenario;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code belay simulate}. */
@Command(
    name = "belay simulate",
    description = {
      "Run Belay's real engine and sessions through simulated failures. A seed decides everything.",
      "docs/simulation.md tells what is real, what must hold, and how to read a trace.",
      "Exit 1 when a seed failed, or when the seeds did not show what they must."
    },
    descriptionHeading = "%n",
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%n",
    footer = {
      "  ./belay simulate --seeds 1..500",
      "  ./belay simulate --seed 17 --trace",
      "  ./belay simulate --seeds 1..2000 --remove-guard EPOCH"
    },
    sortOptions = false,
    usageHelpAutoWidth = true)
public final class Simulate implements Callable<Integer> {
  private static final int THREADS_MAX = 256;
  private static final int BROKE = 3;
  private static final JsonMapper JSON = new JsonMapper();

  enum Format {
    TABLE,
    JSON
  }

  /** One seed or many. */
  static final class Which {
    @Option(names = "--seed", paramLabel = "N", required = true, description = "One seed.")
    @Nullable Long seed;

    @Option(
        names = "--seeds",
        paramLabel = "A..B",
        required = true,
        converter = RangeText.class,
        description = {
          "Many seeds. From 500 on, every rule, fault and transition must have occurred."
        })
    @Nullable SeedRange seeds;

    SeedRange range() {
      if (seeds != null) {
        return seeds;
      }
      long one = seed == null ? 1 : seed;
      return new SeedRange(one, one);
    }
  }

  @ArgGroup(multiplicity = "1")
  Which which = new Which();

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = Options.DurationText.class,
      description = "Begin no further seed after this time, as 10m or 1h.")
  Duration timeMax = Duration.ofDays(365);

  @Option(
      names = "--threads",
      paramLabel = "T",
      description = "Seeds at a time (default: one for each core).")
  @Nullable Integer threads;

  @Option(names = "--keep-going", description = "Do not end at the first seed that fails.")
  boolean keepGoing;

  @Option(
      names = "--trace",
      description = "Show all that happens in the seed; of many, in the first that fails.")
  boolean trace;

  @Option(
      names = "--shrink-for",
      paramLabel = "TIME",
      converter = Options.DurationText.class,
      description = "How long to look for a smaller scenario that fails (default: 20s).")
  Duration shrinkMax = Duration.ofSeconds(20);

  @Option(names = "--no-shrink", description = "Do not look for one.")
  boolean noShrink;

  @Mixin Options options = new Options();

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

  private final Simulator simulator;
  private final PrintStream out;
  private final PrintStream err;
  private final LongSupplier nanos;

  /**
   * @param err gets the progress
   * @param nanos the real time
   */
  public Simulate(Simulator simulator, PrintStream out, PrintStream err, LongSupplier nanos) {
    this.simulator = simulator;
    this.out = out;
    this.err = err;
    this.nanos = nanos;
  }

  /** The exit status: 0 passed, 1 not, 2 usage, 3 the simulator itself broke. */
  public static int execute(Simulate simulate, String... args) {
    return new CommandLine(simulate)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(writer(simulate.out))
        .setErr(writer(simulate.err))
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              e.printStackTrace(simulate.err);
              return BROKE;
            })
        .execute(args);
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }

  @Override
  public Integer call() throws InterruptedException, JsonProcessingException {
    var report = report();
    if (output == Format.JSON) {
      out.println(JSON.writeValueAsString(report.fields()));
    } else {
      report.coverageLines().forEach(out::println);
      report.failureLines(!trace).forEach(out::println);
      report.verdictLines().forEach(out::println);
    }
    return report.passed() ? 0 : 1;
  }

  private Report report() throws InterruptedException {
    var range = which.range();
    var progress = new Progress(err, nanos, range.size());
    var summary = new Summary();
    run(range, summary, progress);
    var elapsed = progress.elapsed();
    var firstFailed = summary.failures().stream().findFirst();
    if (trace && range.size() > 1) {
      firstFailed.ifPresent(failed -> simulator.trace(failed.scenario(), traceOut()::println));
    }
    return new Report(
        summary,
        options.isWhole() ? Demands.complaints(summary, simulator) : List.of(),
        expected(),
        noShrink ? Optional.empty() : firstFailed.map(this::shrink),
        elapsed);
  }

  private void run(SeedRange range, Summary summary, Progress progress)
      throws InterruptedException {
    var scenarios = scenarios();
    if (trace && range.size() == 1) {
      summary.add(simulator.trace(scenarios.apply(range.from()), traceOut()::println));
      return;
    }
    new Runner(simulator, threads(), nanos)
        .run(
            range,
            timeMax,
            scenarios,
            new Runner.Sink() {
              @Override
              public boolean take(Result result) {
                summary.add(result);
                waitingFor(result.scenario().seed() + 1);
                return keepGoing || result.failure().isEmpty();
              }

              @Override
              public void waitingFor(long seed) {
                progress.tell(summary.seeds(), summary.failed(), seed);
              }
            });
  }

  private Shrinker.Shrunk shrink(Result failed) {
    err.printf(
        "simulate: seed %d failed; looking for a smaller scenario%n", failed.scenario().seed());
    return Shrinker.shrink(simulator, failed, nanos, shrinkMax);
  }

  private Map<Coverage.Kind, Set<String>> expected() {
    var expected = new EnumMap<Coverage.Kind, Set<String>>(Coverage.Kind.class);
    if (options.isWhole()) {
      for (var kind : Coverage.Kind.values()) {
        expected.put(kind, simulator.expected(kind));
      }
    }
    return expected;
  }

  private LongFunction<Scenario> scenarios() {
    try {
      return options.scenarios();
    } catch (IllegalArgumentException e) {
      throw misused(e.getMessage());
    }
  }

  private int threads() {
    if (threads == null) {
      return Runtime.getRuntime().availableProcessors();
    }
    if (threads < 1 || threads > THREADS_MAX) {
      throw misused("--threads must be from 1 to " + THREADS_MAX);
    }
    return threads;
  }

  /** With JSON, stdout is reserved for it. */
  private PrintStream traceOut() {
    return output == Format.JSON ? err : out;
  }

  private ParameterException misused(@Nullable String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  /** Parses a range; explains errors in it. */
  static final class RangeText implements ITypeConverter<SeedRange> {
    @Override
    public SeedRange convert(String text) {
      try {
        return SeedRange.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
