package dev.belay.embedded.testing;

/** The address and login of one database. */
public record DatabaseAddress(String jdbcUrl, String user, String password) {
  @Override
  public String toString() {
    return "DatabaseAddress[" + jdbcUrl + ", " + user + "]";
  }
}
