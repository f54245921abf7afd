@NullMarked
package dev.belay.fuzz.command;

import org.jspecify.annotations.NullMarked;
