package dev.belay.workflow;

import dev.cel.common.exceptions.CelAttributeNotFoundException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.StructValue;
import java.util.Map;
import java.util.Optional;

/**
 * {@code params} or {@code run} as a variable. When an expression names a field of a map, the
 * library walks the whole map; it does not walk this. The map never changes.
 */
@SuppressWarnings("Immutable")
final class FieldsValue extends StructValue<String, Map<String, Object>> {

  private final Map<String, Object> fields;

  FieldsValue(Map<String, Object> fields) {
    this.fields = fields;
  }

  @Override
  public Map<String, Object> value() {
    return fields;
  }

  @Override
  public boolean isZeroValue() {
    return fields.isEmpty();
  }

  @Override
  public CelType celType() {
    return SimpleType.DYN;
  }

  @Override
  public Object select(String field) {
    return find(field).orElseThrow(() -> CelAttributeNotFoundException.forMissingMapKey(field));
  }

  @Override
  public Optional<Object> find(String field) {
    return Optional.ofNullable(fields.get(field));
  }
}
