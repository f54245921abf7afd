package dev.belay.store;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens a raw connection, for a lock or for LISTEN; the caller closes it. */
@FunctionalInterface
public interface Connections {
  Connection open() throws SQLException;
}
