package dev.belay.cli.declare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.belay.cli.terminal.CommandContext;
import dev.belay.cli.terminal.CommandFailed;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Declares a tenant. */
@Command(
    name = "set",
    description = {
      "Declare a tenant with its share and limits, or change what you give of it.",
      "What the system file declares, only the system file changes."
    },
    footer = {
      "  belay tenants set data --weight 2 --max-running 100",
      "  belay tenants set data --submit-rate 100/1s --max-waiting 50000",
      "  belay tenants set data --max-running none"
    })
public final class SetTenantCommand extends DeclareCommand {

  @Option(
      names = "--weight",
      paramLabel = "1..1000",
      description = "Its share of the workers while other tenants wait, too.")
  @Nullable Integer weight;

  @Option(
      names = "--max-running",
      paramLabel = "N|none",
      description = "How many of its tasks may hold a worker at a time.")
  @Nullable String maxRunning;

  @Option(
      names = "--max-waiting",
      paramLabel = "N|none",
      description = "Refuse its submits while so many of its tasks wait.")
  @Nullable String maxWaiting;

  @Option(
      names = "--submit-rate",
      paramLabel = "N/TIME|none",
      description = "Refuse faster submits, like 100/1s.")
  @Nullable String submitRate;

  public SetTenantCommand(CommandContext surroundings) {
    super(surroundings, "tenant", List.of("weight", "max_running", "max_waiting", "submit_rate"));
  }

  @Override
  void change(ObjectNode body) throws CommandFailed {
    if (weight != null) {
      body.put("weight", weight);
    }
    number(body, "max_running", maxRunning);
    number(body, "max_waiting", maxWaiting);
    rate(body, "submit_rate", submitRate);
  }
}
