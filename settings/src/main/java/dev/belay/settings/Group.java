package dev.belay.settings;

import java.util.ArrayList;
import java.util.List;

/** Settings that belong together, with the rules between them. Only declarations add to it. */
public final class Group {

  private final String title;
  private final ProcessKind first;
  private final ProcessKind[] others;
  private final List<Setting<?>> settings = new ArrayList<>();
  private final List<Rule> rules = new ArrayList<>();

  /** These processes read each setting that names none itself. */
  Group(String title, ProcessKind first, ProcessKind... others) {
    this.title = title;
    this.first = first;
    this.others = others.clone();
  }

  <T> Setting<T> add(Setting<T> declared) {
    var setting = declared.processes().isEmpty() ? declared.only(first, others) : declared;
    settings.add(setting);
    return setting;
  }

  void add(Rule rule) {
    rules.add(rule);
  }

  public String title() {
    return title;
  }

  public List<Setting<?>> settings() {
    return List.copyOf(settings);
  }

  public List<Rule> rules() {
    return List.copyOf(rules);
  }
}
