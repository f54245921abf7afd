package dev.belay.domain.schedule;

import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;

/** Random cron expressions that follow the grammar; a few of them never fire. */
final class RandomCron {

  private static final String[] MONTHS = {
    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"
  };
  private static final String[] DAYS = {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"};

  private final Random random;

  /** Only what all cron programs read in the same way. */
  private final boolean common;

  RandomCron(Random random, boolean common) {
    this.random = random;
    this.common = common;
  }

  String fiveFields() {
    return String.join(
        " ",
        chance(2) ? "*" : list(() -> chance(60) ? number(0, 59) : item(0, 59)),
        hour(),
        dayOfMonth(),
        chance(60) ? "*" : list(this::month),
        dayOfWeek());
  }

  String sixFields() {
    // Few fields of days, so that most expressions fire on the day of the test.
    return String.join(
        " ",
        chance(4) ? "*" : list(() -> item(0, 59)),
        chance(30) ? "*" : list(() -> item(0, 59)),
        hour(),
        chance(80) ? "*" : dayOfMonth(),
        "*",
        chance(80) ? "*" : dayOfWeek());
  }

  /** Hours at which clocks change come more often. */
  private String hour() {
    if (chance(25)) {
      return "*";
    }
    return list(() -> chance(50) ? number(0, 3) : item(0, 23));
  }

  private String dayOfMonth() {
    if (chance(50)) {
      return !common && chance(20) ? "?" : "*";
    }
    return list(
        () -> {
          if (common || chance(60)) {
            return item(1, 31);
          }
          return switch (random.nextInt(4)) {
            case 0 -> "L";
            case 1 -> "L-" + number(1, 30);
            case 2 -> "LW";
            default -> number(1, 31) + "W";
          };
        });
  }

  private String month() {
    if (chance(50)) {
      return item(1, 12);
    }
    String name = anyCase(MONTHS[random.nextInt(12)]);
    return common || chance(70) ? name : name + "-" + anyCase(MONTHS[random.nextInt(12)]);
  }

  private String dayOfWeek() {
    if (chance(50)) {
      return !common && chance(20) ? "?" : "*";
    }
    return list(
        () -> {
          String name = anyCase(DAYS[random.nextInt(7)]);
          if (common) {
            return chance(50) ? name : item(0, 6);
          }
          return switch (random.nextInt(7)) {
            case 0 -> name;
            case 1 -> name + "-" + anyCase(DAYS[random.nextInt(7)]);
            case 2 -> number(1, 6) + "-7";
            case 3 -> "7";
            case 4 -> name + "#" + number(1, 5);
            case 5 -> number(0, 7) + "L";
            default -> item(0, 6);
          };
        });
  }

  private String list(Supplier<String> item) {
    StringBuilder list = new StringBuilder(item.get());
    while (chance(25)) {
      list.append(',').append(item.get());
    }
    return list.toString();
  }

  private String item(int min, int max) {
    int low = min + random.nextInt(max - min + 1);
    int high = min + random.nextInt(max - min + 1);
    if (common && low == high) {
      return String.valueOf(low);
    }
    String range = common && low > high ? high + "-" + low : low + "-" + high;
    int step = 1 + random.nextInt(max - min);
    return switch (random.nextInt(8)) {
      case 0 -> range;
      case 1 -> range + "/" + step;
      case 2 -> "*/" + step;
      case 3 -> common ? "*/" + step : low + "/" + step;
      default -> String.valueOf(low);
    };
  }

  private String number(int min, int max) {
    return String.valueOf(min + random.nextInt(max - min + 1));
  }

  private String anyCase(String name) {
    return switch (random.nextInt(3)) {
      case 0 -> name;
      case 1 -> name.toLowerCase(Locale.ROOT);
      default -> name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
    };
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }
}
