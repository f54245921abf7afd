/** {@code belay fuzz}: its options and its report. */
@NullMarked
package dev.belay.fuzz.command;

import org.jspecify.annotations.NullMarked;
