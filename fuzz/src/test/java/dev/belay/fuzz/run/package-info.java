@NullMarked
package dev.belay.fuzz.run;

import org.jspecify.annotations.NullMarked;
