package dev.belay.server.auth;

import java.util.Set;

/**
 * Who calls.
 *
 * @param name the actor in histories
 */
public record Principal(String name, Set<Permission> permissions) {

  /** Who calls without a token. */
  public static final Principal ANYBODY = new Principal("anybody", Set.of(Permission.PUBLIC));

  public Principal {
    permissions = Set.copyOf(permissions);
  }

  public boolean may(Permission permission) {
    return permissions.contains(permission);
  }
}
