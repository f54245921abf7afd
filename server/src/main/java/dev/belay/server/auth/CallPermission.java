package dev.belay.server.auth;

/** What a call needs. */
public enum CallPermission {
  /** Nothing: health checks. */
  PUBLIC,
  READ,
  SUBMIT,
  STEER,
  ADMIN,
  /** To serve as a worker; the gateway only. */
  JOIN
}
