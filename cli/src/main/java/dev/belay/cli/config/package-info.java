/**
 * Settings on the command line: the flags of a process, the search for {@code belay.yaml}, and
 * {@code belay config}.
 */
@NullMarked
package dev.belay.cli.config;

import org.jspecify.annotations.NullMarked;
