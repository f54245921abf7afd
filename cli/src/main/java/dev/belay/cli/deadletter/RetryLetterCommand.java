package dev.belay.cli.deadletter;

import dev.belay.cli.bulk.BulkRequestCommand;
import dev.belay.cli.client.Json;
import dev.belay.cli.client.Query;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import dev.belay.cli.terminal.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Retries a dead letter, or all that match a filter. */
@Command(
    name = "retry",
    description = {
      "Submit the request of a dead letter again, and print the id of the task; or start a bulk",
      "operation that does it for all that match, and print its id. A task of a run runs again in",
      "its run. A dead letter can be retried once."
    },
    footer = {
      "  belay dlq retry 019a3c52-0d5a-7bb6-a1c4-7c2b1f0e9d11",
      "  belay dlq retry --reason no_workers --dry-run",
      "  belay dlq retry --reason no_workers --rate 10/s --yes --wait"
    })
public final class RetryLetterCommand extends BulkRequestCommand {

  @Parameters(arity = "0..1", paramLabel = "ID", description = "The id of the dead letter.")
  @Nullable String id;

  @Mixin LetterFilter filter = new LetterFilter();

  @Option(
      names = "--fingerprint",
      paramLabel = "HASH",
      description = "Only those of this group, as `belay dlq groups` shows it.")
  @Nullable String fingerprint;

  RetryLetterCommand(CommandContext surroundings) {
    super(surroundings);
  }

  @Override
  protected ExitCode execute() throws CommandFailed {
    boolean filtered = filter.isGiven() || fingerprint != null;
    if (id == null ? !filtered : filtered || hasRequestOptions()) {
      throw new CommandFailed(
          ExitCode.USAGE,
          "Give the id of one dead letter, or a filter such as --reason, but not both.");
    }
    return id == null ? many() : one(id(id));
  }

  private ExitCode one(String letter) throws CommandFailed {
    try (var client = connect()) {
      var answer = client.post(new Query("/dead-letters/" + letter + "/retry"), Json.object());
      if (json()) {
        print(answer);
        return ExitCode.OK;
      }
      String task = Json.text(answer, "task");
      print(task);
      note(
          style.dim(
              Json.text(answer, "run").isEmpty()
                  ? "It is a new task. See it: belay task " + task
                  : "It runs again in its run. See it: belay task " + task));
      return ExitCode.OK;
    }
  }

  private ExitCode many() throws CommandFailed {
    var body = Json.object();
    body.put("kind", "retry_dead_letters");
    var selected = body.putObject("filter");
    put(selected, "reason", filter.reason);
    put(selected, "topic", filter.topic);
    put(selected, "workflow", filter.workflow);
    put(selected, "tenant", filter.tenant);
    put(selected, "fingerprint", fingerprint);
    put(selected, "created_since", filter.since);
    return request(body);
  }
}
