package dev.belay.server.wiring;

import com.zaxxer.hikari.HikariDataSource;
import dev.belay.server.EngineParts;
import dev.belay.server.ServerSettings;
import dev.belay.store.Database;
import dev.belay.store.SchemaLock;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** The engine's connections, apart from the API's: waiting requests cannot take them. */
record EngineConnections(ServerSettings settings) {

  HikariDataSource pool(int size) {
    ServerSettings.Database database = settings.database();
    return Database.enginePool(
        database.jdbcUrl(),
        database.user(),
        database.password(),
        size,
        "belay " + settings.replica(),
        EngineParts.database(settings.values()));
  }

  /** Opens a separate connection, for a lock or for LISTEN. */
  Connection connect() throws SQLException {
    ServerSettings.Database database = settings.database();
    var properties = new Properties();
    properties.setProperty("user", database.user());
    properties.setProperty("password", database.password());
    properties.setProperty("ApplicationName", "belay " + settings.replica());
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("connectTimeout", "5");
    // Both limits: a frozen server accepts connections but never answers.
    properties.setProperty("loginTimeout", "5");
    properties.setProperty("socketTimeout", "20");
    return SchemaLock.enter(DriverManager.getConnection(database.jdbcUrl(), properties));
  }
}
