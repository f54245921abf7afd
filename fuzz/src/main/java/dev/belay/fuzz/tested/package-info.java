/** The server under test: its processes, its database, its log. */
@NullMarked
package dev.belay.fuzz.tested;

import org.jspecify.annotations.NullMarked;
