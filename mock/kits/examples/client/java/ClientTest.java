import java.util.List;

/** javac -d out *.java, then lockstep client -- java -cp out ClientTest */
final class ClientTest {
  interface Test {
    void run() throws Exception;
  }

  private static int failed = 0;

  public static void main(String[] arguments) {
    test("a token is created", () -> expect(true, Client.createToken("201").matches("\\w+\\.\\w+\\..*")));
    test("a folder is renamed", () -> expect("Q1", Client.renameFolder(13, "Q1")));
    test("all users are listed", () -> expect(42, Client.users().size()));
    test("the current version is told", () -> expect("1.6.1", Client.currentVersion()));
    test(
        "a personal branch gets no staging environment",
        () -> expect("refused", Client.enableStaging("dev-ana")));
    test(
        "a recipient is added",
        () -> {
          List<String> added = Client.addRecipient(31, 2);
          if (!Client.has("assertion")) expect(List.of("ben@example.com"), added);
        });
    test(
        "a branch without a staging environment has none",
        () -> expect(false, Client.hasStaging("feature-orders")));
    System.exit(failed == 0 ? 0 : 1);
  }

  private static void test(String name, Test test) {
    try {
      test.run();
      System.out.println("ok - " + name);
    } catch (Exception | AssertionError error) {
      failed += 1;
      System.out.println("not ok - " + name + ": " + error);
    }
  }

  private static void expect(Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError("expected " + expected + ", got " + actual);
    }
  }
}
