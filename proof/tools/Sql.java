import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.StringJoiner;

/**
 * Runs statements on the database of a cluster: Sql.java FOLDER STATEMENT... Prints rows with tabs
 * between the columns.
 */
final class Sql {
  public static void main(String[] args) throws Exception {
    var folder = Path.of(args[0]);
    var database =
        new JsonMapper()
            .readTree(Files.readAllBytes(folder.resolve("cluster.json")))
            .path("database");
    try (var connection =
            DriverManager.getConnection(
                database.path("url").asText(),
                database.path("user").asText(),
                Files.readString(Path.of(database.path("password_file").asText())).strip());
        var statement = connection.createStatement()) {
      for (int i = 1; i < args.length; i++) {
        if (!statement.execute(args[i])) {
          continue;
        }
        try (var rows = statement.getResultSet()) {
          while (rows.next()) {
            var line = new StringJoiner("\t");
            for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
              line.add(String.valueOf(rows.getString(column)));
            }
            System.out.println(line);
          }
        }
      }
    }
  }
}
