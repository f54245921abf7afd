/** Tests of loops and their watcher. */
@NullMarked
package dev.belay.engine.loop;

import org.jspecify.annotations.NullMarked;
