package dev.belay.buildtools.violations.settings;

import dev.belay.buildtools.violations.cli.CliUsesAbove;

/** Depends on a module that settings must not know. */
public record SettingsUsesAbove(CliUsesAbove above) {}
