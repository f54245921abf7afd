/** Commands about when workflows start by themselves. */
@NullMarked
package dev.belay.cli.schedule;

import org.jspecify.annotations.NullMarked;
