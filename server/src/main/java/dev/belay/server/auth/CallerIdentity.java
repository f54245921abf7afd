package dev.belay.server.auth;

import java.util.Set;

/**
 * The identity of a caller.
 *
 * @param name the actor in histories
 */
public record CallerIdentity(String name, Set<CallPermission> permissions) {

  /** A caller without a token. */
  public static final CallerIdentity ANYBODY =
      new CallerIdentity("anybody", Set.of(CallPermission.PUBLIC));

  public CallerIdentity {
    permissions = Set.copyOf(permissions);
  }

  public boolean may(CallPermission permission) {
    return permissions.contains(permission);
  }
}
