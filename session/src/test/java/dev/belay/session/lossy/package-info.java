/**
 * Both ends of a session over a wire that loses, delays and cuts, with a tiny database between them
 * and a worker that crashes between any two commands. One thread; a seed reproduces a run.
 */
@NullMarked
package dev.belay.session.lossy;

import org.jspecify.annotations.NullMarked;
