package dev.belay.server.auth;

/** The permission that a call needs. */
public enum CallPermission {
  /** None: health checks. */
  PUBLIC,
  READ,
  SUBMIT,
  STEER,
  ADMIN,
  /** To serve as a worker; only for the gateway. */
  JOIN
}
