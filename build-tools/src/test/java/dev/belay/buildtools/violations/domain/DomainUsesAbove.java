package dev.belay.buildtools.violations.domain;

import dev.belay.buildtools.violations.cli.CliUsesAbove;

/** Depends on a module that domain must not know. */
public record DomainUsesAbove(CliUsesAbove above) {}
