package dev.belay.embedded.testing;

/** What a JDBC client needs to reach one database. */
public record DatabaseAddress(String jdbcUrl, String user, String password) {
  @Override
  public String toString() {
    return "DatabaseAddress[" + jdbcUrl + ", " + user + "]";
  }
}
