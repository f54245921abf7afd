package dev.belay.buildtools.violations.workflow;

import dev.belay.buildtools.violations.cli.CliUsesAbove;

/** Depends on a module that workflow must not know. */
public record WorkflowUsesAbove(CliUsesAbove above) {}
