/** Commands that declare pools, topics and tenants, show them and remove them. */
@NullMarked
package dev.belay.cli.declare;

import org.jspecify.annotations.NullMarked;
