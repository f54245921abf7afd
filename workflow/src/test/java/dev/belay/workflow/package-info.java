@NullMarked
package dev.belay.workflow;

import org.jspecify.annotations.NullMarked;
