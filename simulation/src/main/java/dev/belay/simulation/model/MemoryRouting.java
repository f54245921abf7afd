package dev.belay.simulation.model;

import dev.belay.domain.limit.Limits;
import dev.belay.domain.limit.Limits.OfTenant;
import dev.belay.domain.routing.Pool;
import dev.belay.domain.spec.WorkflowSpec;
import dev.belay.engine.port.RoutingReads;
import dev.belay.simulation.guard.RaceGuard;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What is declared, in memory. */
record MemoryRouting(Tables tables) implements RoutingReads {

  @Override
  public long version() {
    return tables.database.statement(statement -> row(statement).version());
  }

  private RoutingRow row(ModelStatement statement) {
    return statement.read(tables.routing, true).orElse(RoutingRow.NOTHING);
  }

  @Override
  public Declared declared() {
    return tables.database.statement(
        statement -> {
          RoutingRow row = row(statement);
          List<Pool> pools =
              row.poolSlots().keySet().stream().sorted().map(Pool::undeclared).toList();
          Limits limits =
              tables.guards.has(RaceGuard.DECLARED_LIMITS) ? limits(statement) : Limits.NONE;
          return new Declared(row.version(), pools, List.of(), limits, Map.of());
        });
  }

  Limits limits(ModelStatement statement) {
    RoutingRow row = row(statement);
    Map<OfTenant, Integer> workflows = new HashMap<>();
    for (ControlRow control : statement.rows(tables.control, each -> each.maxTasks != null)) {
      workflows.put(
          new OfTenant(control.name.tenant(), control.name.name()),
          Objects.requireNonNull(control.maxTasks));
    }
    Map<String, Integer> tenants = new HashMap<>();
    if (row.maxRunning() != null) {
      tenants.put(WorkflowSpec.DEFAULT_TENANT, row.maxRunning());
    }
    return new Limits(row.poolSlots(), tenants, workflows);
  }
}
