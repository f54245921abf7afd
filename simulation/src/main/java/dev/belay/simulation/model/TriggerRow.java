package dev.belay.simulation.model;

import dev.belay.domain.id.TriggerId;

/** A row of the table trigger. */
record TriggerRow(TriggerId id, WorkflowName workflow, String name) {}
