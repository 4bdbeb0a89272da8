import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Runs SQL on databases that only Java reaches, for any number of connections on the printed port. One request a line
 * (command, name and text in base64, separated by tabs), one JSON answer a line. The databases of a connection end with it.
 * Started from its source, so that no compiler step is needed.
 */
public class Runner {
  private final Map<String, Connection> databases = new HashMap<>();

  public static void main(String[] args) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      System.out.println("Listening on port " + server.getLocalPort() + ".");
      while (true) {
        Socket socket = server.accept();
        new Thread(() -> new Runner().serve(socket)).start();
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      PrintStream out = new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8);
      BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] parts = line.split("\t", -1);
        out.println(answer(parts[0], parts[1], decode(parts[2])));
      }
    } catch (IOException error) {
      // The caller has gone.
    } finally {
      for (String name : List.copyOf(databases.keySet())) answer("close", name, "");
    }
  }

  private String answer(String command, String name, String text) {
    try {
      return switch (command) {
        case "open" -> open(name, text);
        case "execute" -> execute(databases.get(name), text);
        case "close" -> close(name);
        default -> throw new IllegalArgumentException("There is no command " + command + ".");
      };
    } catch (SQLException error) {
      String state = error.getSQLState() == null ? "" : error.getSQLState();
      return "{\"error\":" + quote(String.valueOf(error.getMessage())) + ",\"state\":" + quote(state) + "}";
    } catch (Exception error) {
      return "{\"error\":" + quote(String.valueOf(error.getMessage())) + "}";
    }
  }

  private String open(String name, String url) throws SQLException {
    Connection connection = DriverManager.getConnection(url, "SA", "");
    databases.put(name, connection);
    return "{\"version\":" + quote(connection.getMetaData().getDatabaseProductVersion()) + "}";
  }

  private String close(String name) throws SQLException {
    try (Connection connection = databases.remove(name); Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN");
    }
    return "{}";
  }

  private static String execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (statement.execute(sql)) return rows(statement.getResultSet());
      return "{\"rows\":[],\"count\":" + statement.getUpdateCount() + "}";
    }
  }

  private static String rows(ResultSet results) throws SQLException {
    StringBuilder json = new StringBuilder("{\"rows\":[");
    for (boolean first = true; results.next(); first = false) {
      if (!first) json.append(',');
      row(json, results);
    }
    return json.append("]}").toString();
  }

  private static void row(StringBuilder json, ResultSet results) throws SQLException {
    int columns = results.getMetaData().getColumnCount();
    json.append('{');
    for (int column = 1; column <= columns; column++) {
      if (column > 1) json.append(',');
      json.append(quote(results.getMetaData().getColumnLabel(column))).append(':').append(value(results.getObject(column)));
    }
    json.append('}');
  }

  /** Only what JavaScript holds exactly becomes a JSON number. */
  private static String value(Object value) throws SQLException {
    if (value == null) return "null";
    if (value instanceof Boolean || value instanceof Integer || value instanceof Short || value instanceof Double) return value.toString();
    if (value instanceof Long number && Math.abs(number) <= 9007199254740991L) return value.toString();
    if (value instanceof Clob text) return quote(text.getSubString(1, (int) text.length()));
    if (value instanceof Blob bytes) return quote(HexFormat.of().formatHex(bytes.getBytes(1, (int) bytes.length())));
    if (value instanceof byte[] bytes) return quote(HexFormat.of().formatHex(bytes));
    return quote(value.toString());
  }

  private static String decode(String text) {
    return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
  }

  private static String quote(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (char letter : text.toCharArray()) {
      if (letter == '"' || letter == '\\') json.append('\\').append(letter);
      else if (letter < ' ') json.append(String.format("\\u%04x", (int) letter));
      else json.append(letter);
    }
    return json.append('"').toString();
  }
}
