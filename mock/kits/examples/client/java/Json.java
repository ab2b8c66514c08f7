import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON into maps, lists, texts, numbers, booleans and null: the JDK brings no reader. */
final class Json {
  private final String text;
  private int at = 0;

  private Json(String text) {
    this.text = text;
  }

  static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.skipSpace();
    if (json.at < text.length()) throw json.unexpected();
    return value;
  }

  /** What stands under these names, one inside of the other; null if one of them is not there. */
  static Object at(Object value, String... names) {
    for (String name : names) value = value instanceof Map<?, ?> map ? map.get(name) : null;
    return value;
  }

  static List<?> list(Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  private Object value() {
    skipSpace();
    if (take("{")) return object();
    if (take("[")) return array();
    if (take("\"")) return string();
    if (take("true")) return true;
    if (take("false")) return false;
    if (take("null")) return null;
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
    if (start == at) throw unexpected();
    return Double.valueOf(text.substring(start, at));
  }

  private Map<String, Object> object() {
    Map<String, Object> map = new LinkedHashMap<>();
    skipSpace();
    if (take("}")) return map;
    do {
      skipSpace();
      expect("\"");
      String name = string();
      skipSpace();
      expect(":");
      map.put(name, value());
      skipSpace();
    } while (take(","));
    expect("}");
    return map;
  }

  private List<Object> array() {
    List<Object> list = new ArrayList<>();
    skipSpace();
    if (take("]")) return list;
    do {
      list.add(value());
      skipSpace();
    } while (take(","));
    expect("]");
    return list;
  }

  private String string() {
    StringBuilder made = new StringBuilder();
    while (!take("\"")) {
      if (at >= text.length()) throw unexpected();
      char next = text.charAt(at++);
      made.append(next == '\\' ? escaped() : next);
    }
    return made.toString();
  }

  private char escaped() {
    char next = at < text.length() ? text.charAt(at++) : ' ';
    if (next == 'u') return (char) Integer.parseInt(text.substring(at, at += 4), 16);
    int known = "nrtbf".indexOf(next);
    return known < 0 ? next : "\n\r\t\b\f".charAt(known);
  }

  private void skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
  }

  private boolean take(String token) {
    if (!text.startsWith(token, at)) return false;
    at += token.length();
    return true;
  }

  private void expect(String token) {
    if (!take(token)) throw unexpected();
  }

  private IllegalArgumentException unexpected() {
    return new IllegalArgumentException("this is not JSON, from character " + at + " on");
  }
}
