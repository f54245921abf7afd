package dev.belay.buildtools.violations.agent;

import dev.belay.buildtools.violations.cli.CliUsesAbove;

/** Depends on a module that agent must not know. */
public record AgentUsesAbove(CliUsesAbove above) {}
