/**
 * Applies folders of workflows, and writes them out again: {@code apply}, {@code diff}, {@code
 * export}. The server checks, compares and stores; a command only reads files and shows the plan.
 */
@NullMarked
package dev.belay.cli.apply;

import org.jspecify.annotations.NullMarked;
