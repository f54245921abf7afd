package dev.belay.store;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens a raw connection for a lock or for LISTEN. The caller closes it. */
@FunctionalInterface
public interface Connections {
  Connection open() throws SQLException;
}
