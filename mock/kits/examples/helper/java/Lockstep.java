import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** For tests in Java 17, in JUnit and any other runner: copy this file next to yours. */
public final class Lockstep {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** A test of a client; it fails by throwing. */
  public interface ClientTest {
    void run(World world) throws Exception;
  }

  /** One isolated tenant, in a try of its own: `try (var world = Lockstep.world("{}")) { ... }`. */
  public record World(String told) implements AutoCloseable {
    public String id() {
      return texts(told, "id").get(0);
    }

    public String baseUrl() {
      return texts(told, "baseUrl").get(0);
    }

    public String credential(String name) {
      return texts(told.substring(told.indexOf("\"credentials\"")), name).get(0);
    }

    /** Calls the control API of this world, such as call("POST", "/faults", "{...}"). */
    public String call(String method, String path, String body) throws Exception {
      return admin(method, "worlds/" + id() + path, body);
    }

    @Override
    public void close() throws Exception {
      call("DELETE", "", null);
    }
  }

  public static World world(String request) throws Exception {
    return new World(admin("POST", "worlds", request));
  }

  /**
   * Runs a test against every service that this could be. Returns the flaws of the client, a line each. The kinds
   * are sweep, loss and mutant. Each run gets a fork of the world; the test must pass if nothing is varied.
   */
  public static List<String> findings(World world, ClientTest test, long limitMs, String... kinds)
      throws Exception {
    List<String> found = new ArrayList<>();
    try (World plain = new World(world.call("POST", "/fork", "{}"))) {
      test.run(plain);
      String query = "?plain=" + plain.id() + (kinds.length > 0 ? "&kind=" : "");
      String path = "/variations" + query + String.join("&kind=", kinds);
      for (String id : texts(world.call("GET", path, null), "id")) {
        String order = "{\"plain\": \"" + plain.id() + "\", \"id\": \"" + id + "\"}";
        // A red run is played again: one that is red once only is flaky.
        for (int turn = 1; turn <= 2; turn++) {
          try (World varied = new World(world.call("POST", "/variations", order))) {
            String ended = "{\"end\": \"" + endOf(varied, test, limitMs) + "\"}";
            List<String> finding = texts(varied.call("POST", "/outcome", ended), "finding");
            if (finding.isEmpty()) break;
            if (turn == 2) found.addAll(finding);
          }
        }
      }
    }
    return found;
  }

  private static String endOf(World world, ClientTest test, long limitMs) {
    Supplier<String> run =
        () -> {
          try {
            test.run(world);
            return "passed";
          } catch (Exception | AssertionError error) {
            return "failed";
          }
        };
    var running = CompletableFuture.supplyAsync(run);
    return running.completeOnTimeout("hung", limitMs, TimeUnit.MILLISECONDS).join();
  }

  /** Calls the control API; the path is taken from /__admin/. */
  public static String admin(String method, String path, String body) throws Exception {
    String base = System.getenv("LOCKSTEP_BASE_URL");
    String missing = "LOCKSTEP_BASE_URL is not set: start lockstep mock, see lockstep env";
    if (base == null) throw new IllegalStateException(missing);
    URI uri = URI.create(base + "/__admin/" + path);
    var content = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    var request = HttpRequest.newBuilder(uri).header("Content-Type", "application/json");
    request.header("Lockstep-Admin-Token", System.getenv().getOrDefault("LOCKSTEP_ADMIN_TOKEN", ""));
    var answer = CLIENT.send(request.method(method, content).build(), BodyHandlers.ofString());
    if (answer.statusCode() < 300) return answer.body();
    throw new IOException(method + " " + uri + ": " + answer.body());
  }

  /** The texts under a name: the JDK brings no JSON, and this is enough for the control API. */
  static List<String> texts(String json, String name) {
    var field = Pattern.compile("\"" + name + "\":\\s*\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(json);
    return field.results().map((found) -> found.group(1).replace("\\\"", "\"")).toList();
  }
}
