package dev.belay.cli;

import dev.belay.cli.act.BlockCommand;
import dev.belay.cli.act.CancelCommand;
import dev.belay.cli.act.ClearCommand;
import dev.belay.cli.act.CloneCommand;
import dev.belay.cli.act.MarkCommand;
import dev.belay.cli.act.NoteCommand;
import dev.belay.cli.act.PauseCommand;
import dev.belay.cli.act.PriorityCommand;
import dev.belay.cli.act.RegisterCommand;
import dev.belay.cli.act.RetryCommand;
import dev.belay.cli.act.RollbackVersionCommand;
import dev.belay.cli.act.SchemaCommand;
import dev.belay.cli.act.SkipCommand;
import dev.belay.cli.act.SubmitCommand;
import dev.belay.cli.act.TerminateCommand;
import dev.belay.cli.act.TriggerCommand;
import dev.belay.cli.act.UnblockCommand;
import dev.belay.cli.act.ValidateCommand;
import dev.belay.cli.act.VersionCommand;
import dev.belay.cli.act.WaitReadyCommand;
import dev.belay.cli.act.WorkerCommand;
import dev.belay.cli.apply.ApplyCommand;
import dev.belay.cli.apply.DiffCommand;
import dev.belay.cli.apply.ExportCommand;
import dev.belay.cli.archive.ArchiveCommand;
import dev.belay.cli.backfill.BackfillCommand;
import dev.belay.cli.bulk.BulkCommand;
import dev.belay.cli.cluster.ClusterCommand;
import dev.belay.cli.command.Version;
import dev.belay.cli.config.ConfigCommand;
import dev.belay.cli.deadletter.DlqCommand;
import dev.belay.cli.declare.DeleteDeclaredCommand;
import dev.belay.cli.declare.SetPoolCommand;
import dev.belay.cli.declare.SetTenantCommand;
import dev.belay.cli.declare.SetTopicCommand;
import dev.belay.cli.declare.ShowDeclaredCommand;
import dev.belay.cli.process.AgentCommand;
import dev.belay.cli.process.LiteCommand;
import dev.belay.cli.process.PostgresCommand;
import dev.belay.cli.process.ServerCommand;
import dev.belay.cli.process.StopCommand;
import dev.belay.cli.read.AlertsCommand;
import dev.belay.cli.read.ChangesCommand;
import dev.belay.cli.read.EventsCommand;
import dev.belay.cli.read.InfoCommand;
import dev.belay.cli.read.LatenessCommand;
import dev.belay.cli.read.LogsCommand;
import dev.belay.cli.read.PoolsCommand;
import dev.belay.cli.read.RecoveryCommand;
import dev.belay.cli.read.RunsCommand;
import dev.belay.cli.read.SchedulesCommand;
import dev.belay.cli.read.ShowCommand;
import dev.belay.cli.read.TaskCommand;
import dev.belay.cli.read.TasksCommand;
import dev.belay.cli.read.TenantsCommand;
import dev.belay.cli.read.TopicsCommand;
import dev.belay.cli.read.VersionsCommand;
import dev.belay.cli.read.WorkersCommand;
import dev.belay.cli.read.WorkflowCommand;
import dev.belay.cli.read.WorkflowsCommand;
import dev.belay.cli.run.RunCommand;
import dev.belay.cli.schedule.ScheduleCommand;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import dev.belay.cli.terminal.Style;
import dev.belay.workflow.Suggestion;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The root command: parses, runs, and prints failures. */
@Command(
    name = "belay",
    versionProvider = Belay.Versions.class,
    description = "Runs tasks and workflows, and never lies about them.",
    synopsisSubcommandLabel = "COMMAND",
    descriptionHeading = "%n",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    usageHelpAutoWidth = true,
    footer = {
      "  belay run examples/hello.yaml",
      "  belay lite & belay wait-ready && belay submit --wait -- /bin/echo hi",
      "  belay tasks --state FAILED",
      "",
      "Exit status: 0 it worked; 1 the run or task did not succeed, or the server refused;",
      "2 bad file or arguments; 3 no server could be reached or started; 130 after Ctrl-C.",
      "`belay COMMAND --help` shows details. BELAY_DEBUG=1 shows stack traces."
    })
public final class Belay implements Runnable {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version.")
  boolean version;

  private final CommandContext surroundings;

  Belay(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  /** The version, for {@code --version}. */
  static final class Versions implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"belay " + Version.current()};
    }
  }

  /** Runs one command line and returns the exit status. */
  public static int execute(CommandContext surroundings, String... args) {
    return new Belay(surroundings).commandLine(args).execute(args);
  }

  @Override
  public void run() {
    throw new ParameterException(
        new CommandLine(this), "A command is missing. `belay --help` lists them.");
  }

  private Map<String, Supplier<Object>> commands() {
    var commands = new LinkedHashMap<String, Supplier<Object>>();
    commands.put("run", () -> new RunCommand(surroundings));
    commands.put("lite", () -> new LiteCommand(surroundings).line());
    commands.put("server", () -> new ServerCommand(surroundings).line());
    commands.put("agent", () -> new AgentCommand(surroundings).line());
    commands.put("stop", () -> new StopCommand(surroundings));
    commands.put("cluster", () -> ClusterCommand.of(surroundings));
    commands.put("postgres", () -> new PostgresCommand(surroundings));
    commands.put("submit", () -> new SubmitCommand(surroundings));
    commands.put("register", () -> new RegisterCommand(surroundings));
    commands.put("apply", () -> new ApplyCommand(surroundings));
    commands.put("diff", () -> new DiffCommand(surroundings));
    commands.put("export", () -> new ExportCommand(surroundings));
    commands.put("rollback-version", () -> new RollbackVersionCommand(surroundings));
    commands.put("trigger", () -> new TriggerCommand(surroundings));
    commands.put("schedule", () -> ScheduleCommand.of(surroundings));
    commands.put("backfill", () -> BackfillCommand.of(surroundings));
    commands.put("bulk", () -> BulkCommand.of(surroundings));
    commands.put("dlq", () -> DlqCommand.of(surroundings));
    commands.put("events", () -> EventsCommand.of(surroundings));
    commands.put("cancel", () -> new CancelCommand(surroundings));
    commands.put("retry", () -> new RetryCommand(surroundings));
    commands.put("pause", () -> new PauseCommand.Pause(surroundings));
    commands.put("resume", () -> new PauseCommand.Resume(surroundings));
    commands.put("terminate", () -> new TerminateCommand(surroundings));
    commands.put("unblock", () -> new UnblockCommand(surroundings));
    commands.put("clear", () -> new ClearCommand(surroundings));
    commands.put("mark", () -> new MarkCommand(surroundings));
    commands.put("skip", () -> new SkipCommand(surroundings));
    commands.put("block", () -> new BlockCommand(surroundings));
    commands.put("priority", () -> new PriorityCommand(surroundings));
    commands.put("note", () -> new NoteCommand(surroundings));
    commands.put("archive", () -> new ArchiveCommand(surroundings));
    commands.put("config", () -> ConfigCommand.of(surroundings));
    commands.put("remove-worker", () -> new WorkerCommand.Remove(surroundings));
    commands.put("workflows", () -> new WorkflowsCommand(surroundings));
    commands.put("workflow", () -> new WorkflowCommand(surroundings));
    commands.put("versions", () -> new VersionsCommand(surroundings));
    commands.put("schedules", () -> new SchedulesCommand(surroundings));
    commands.put("runs", () -> new RunsCommand(surroundings));
    commands.put("tasks", () -> new TasksCommand(surroundings));
    commands.put("task", () -> new TaskCommand(surroundings));
    commands.put("show", () -> new ShowCommand(surroundings));
    commands.put("logs", () -> new LogsCommand(surroundings));
    commands.put("workers", this::workers);
    commands.put("pools", this::pools);
    commands.put("topics", this::topics);
    commands.put("tenants", this::tenants);
    commands.put("lateness", () -> new LatenessCommand(surroundings));
    commands.put("recovery", () -> new RecoveryCommand(surroundings));
    commands.put("alerts", () -> new AlertsCommand(surroundings));
    commands.put("changes", () -> new ChangesCommand(surroundings));
    commands.put("info", () -> new InfoCommand(surroundings));
    commands.put("validate", () -> new ValidateCommand(surroundings));
    commands.put("schema", () -> new SchemaCommand(surroundings));
    commands.put("wait-ready", () -> new WaitReadyCommand(surroundings));
    commands.put("prove", () -> new CloneCommand.Prove(surroundings));
    commands.put("bench", () -> new CloneCommand.Bench(surroundings));
    commands.put("simulate", () -> new CloneCommand.Simulate(surroundings));
    commands.put("fuzz", () -> new CloneCommand.Fuzz(surroundings));
    commands.put("version", () -> new VersionCommand(surroundings));
    commands.put("help", HelpCommand::new);
    return commands;
  }

  private CommandLine workers() {
    return new CommandLine(new WorkersCommand(surroundings))
        .addSubcommand(new WorkerCommand.Revoke(surroundings))
        .addSubcommand(new WorkerCommand.Allow(surroundings))
        .addSubcommand(new WorkerCommand.Trust(surroundings));
  }

  private CommandLine pools() {
    return new CommandLine(new PoolsCommand(surroundings))
        .addSubcommand(new ShowDeclaredCommand.Pool(surroundings))
        .addSubcommand(new SetPoolCommand(surroundings))
        .addSubcommand(new DeleteDeclaredCommand.Pool(surroundings));
  }

  private CommandLine topics() {
    return new CommandLine(new TopicsCommand(surroundings))
        .addSubcommand(new ShowDeclaredCommand.Topic(surroundings))
        .addSubcommand(new SetTopicCommand(surroundings))
        .addSubcommand(new DeleteDeclaredCommand.Topic(surroundings));
  }

  private CommandLine tenants() {
    return new CommandLine(new TenantsCommand(surroundings))
        .addSubcommand(new ShowDeclaredCommand.Tenant(surroundings))
        .addSubcommand(new SetTenantCommand(surroundings))
        .addSubcommand(new DeleteDeclaredCommand.Tenant(surroundings));
  }

  private CommandLine commandLine(String[] args) {
    var root = new CommandLine(this);
    var words = List.of(args);
    var commands = commands();
    // Loading every command's class costs more than running most commands.
    boolean known = args.length > 0 && commands.containsKey(args[0]) && !args[0].equals("help");
    commands.forEach(
        (name, command) -> {
          if (!known || words.contains(name)) {
            root.addSubcommand(name, command.get());
          }
        });
    boolean colour = surroundings.style().colour();
    root.setColorScheme(
        CommandLine.Help.defaultColorScheme(
            colour ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
    root.setOut(writer(surroundings.out()));
    root.setErr(writer(surroundings.err()));
    // The words after -- belong to the task, unchanged.
    root.setExpandAtFiles(false);
    root.setCaseInsensitiveEnumValuesAllowed(true);
    root.setParameterExceptionHandler((e, arguments) -> misused(e));
    root.setExecutionExceptionHandler((e, command, result) -> failed(e));
    return root;
  }

  private static PrintWriter writer(PrintStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
  }

  private int misused(ParameterException e) {
    var command = e.getCommandLine().getCommandSpec();
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
      say(unknown(command, unmatched));
    } else {
      say(e.getMessage());
    }
    surroundings.err().println("`" + command.qualifiedName() + " --help` shows the usage.");
    return ExitCode.USAGE.status();
  }

  private String unknown(CommandSpec command, UnmatchedArgumentException unmatched) {
    String word = unmatched.getUnmatched().getFirst();
    boolean root = command.parent() == null;
    if (word.startsWith("-")) {
      String name = word.replaceFirst("=.*", "");
      var known = command.options().stream().flatMap(each -> Stream.of(each.names())).toList();
      String said =
          root
              ? "The option %s goes after the command, or does not exist.".formatted(word)
              : "There is no option %s of `%s`.".formatted(name, command.qualifiedName());
      return said + meant(name, known);
    }
    var commands = root ? commands().keySet() : command.subcommands().keySet();
    if (commands.isEmpty()) {
      return String.valueOf(unmatched.getMessage());
    }
    // A mistyped command is taken for the argument, and the word behind it is the one too many.
    String tried =
        command.positionalParameters().stream()
            .flatMap(each -> each.originalStringValues().stream())
            .findFirst()
            .orElse(word);
    return "There is no command \"%s\".%s".formatted(tried, meant(tried, commands));
  }

  private static String meant(String word, Collection<String> known) {
    return Suggestion.nearest(word, known).map(name -> " Did you mean " + name + "?").orElse("");
  }

  private int failed(Exception e) {
    if (surroundings.variable("BELAY_DEBUG") != null) {
      e.printStackTrace(surroundings.err());
    }
    if (e instanceof CommandFailed failed) {
      failed.lines().forEach(line -> surroundings.err().println(Style.clean(line)));
      say(failed.getMessage());
      return failed.exitCode().status();
    }
    say(
        "This is a bug in belay: %s. Set BELAY_DEBUG=1 to see where, and please report it."
            .formatted(e));
    return ExitCode.FAILED.status();
  }

  private void say(@Nullable String message) {
    var style = surroundings.style();
    surroundings.err().println(style.red("belay:") + " " + Style.clean(String.valueOf(message)));
  }
}
