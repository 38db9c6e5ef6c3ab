package io.shardbus.integration.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.deque.html.axecore.providers.EmbeddedResourceAxeProvider;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import javax.naming.OperationNotSupportedException;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A headless Chromium with the page. Nothing is downloaded: the system's browser and driver are used. */
final class Browser implements AutoCloseable {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final Duration LONGEST_SCRIPT = Duration.ofSeconds(60);
    private static final Path SCREENSHOTS = Path.of("target/screenshots");
    private static final String RUN_AXE = """
            const done = arguments[0];
            axe.run(document, {resultTypes: ['violations']})
                .then((found) => done(JSON.stringify(found.violations)), (failure) => done(String(failure)));
            """;
    private static final int WIDTH = 1280;
    private static final int HEIGHT = 860;

    private final ChromeDriver driver;
    private final List<String> origins = new ArrayList<>();

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Opens the browser, or skips the tests and says what is missing. */
    static Browser open() {
        var browser = executable("chromium", "chromium-browser", "google-chrome");
        var service = executable("chromedriver");
        if (browser.isEmpty() || service.isEmpty()) {
            var reason = "SKIPPED: the admin page is not tested: no chromium or no chromedriver in PATH "
                    + "(Debian: apt-get install chromium chromium-driver)";
            System.err.println(reason);
            Assumptions.abort(reason);
        }
        var logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        var options = new ChromeOptions();
        options.setBinary(browser.get());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--hide-scrollbars");
        options.setCapability("goog:loggingPrefs", logs);
        options.setScriptTimeout(LONGEST_SCRIPT);
        return new Browser(new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(service.get())
                        .build(),
                options));
    }

    private static Optional<File> executable(String... names) {
        var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.of(names)
                .flatMap(name ->
                        Stream.of(path.split(File.pathSeparator, -1)).map(directory -> new File(directory, name)))
                .filter(File::canExecute)
                .findFirst();
    }

    /** Loads an address and waits until the page has drawn its first data. */
    void load(String address) {
        driver.get(address);
        until("the page is ready", () -> "true".equals(attribute("body", "data-ready")));
    }

    /** Runs a script at the begin of each page that is loaded from now on; its name, by which it is forgotten. */
    String beforeEachPage(String script) {
        return String.valueOf(
                driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script))
                        .get("identifier"));
    }

    void forget(String script) {
        driver.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", script));
    }

    /** Loads a page that has no data to draw. */
    void loadOnly(String address) {
        driver.get(address);
    }

    /** So wide, and as high as usual; a window cannot be so narrow as a phone, its content can. */
    void width(int width) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", HEIGHT, "deviceScaleFactor", 1, "mobile", false));
    }

    void usualWidth() {
        width(WIDTH);
    }

    /** How the system of the reader is set: dark or light. */
    void prefers(String theme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
    }

    void click(String selector) {
        until("clicked " + selector, () -> {
            driver.findElement(By.cssSelector(selector)).click();
            return true;
        });
    }

    /** Presses keys where the focus is. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Moves the focus by the tabulator until it is on such an element. */
    void tabTo(String selector) {
        for (int i = 0; i < 100; i++) {
            if (script("return document.activeElement.matches(arguments[0])", selector) == Boolean.TRUE) {
                return;
            }
            press(Keys.TAB);
        }
        throw new AssertionError("the tabulator does not reach " + selector);
    }

    /** Types in place of what is in the field that has the focus. */
    void retype(String text) {
        new Actions(driver)
                .keyDown(Keys.CONTROL)
                .sendKeys("a")
                .keyUp(Keys.CONTROL)
                .sendKeys(text)
                .perform();
    }

    void type(String text) {
        press(text);
    }

    boolean shows(String selector) {
        return !driver.findElements(By.cssSelector(selector)).isEmpty();
    }

    int count(String selector) {
        return driver.findElements(By.cssSelector(selector)).size();
    }

    String text(String selector) {
        return driver.findElement(By.cssSelector(selector)).getText();
    }

    List<String> texts(String selector) {
        return driver.findElements(By.cssSelector(selector)).stream()
                .map(WebElement::getText)
                .toList();
    }

    String attribute(String selector, String name) {
        return driver.findElement(By.cssSelector(selector)).getDomAttribute(name);
    }

    List<String> attributes(String selector, String name) {
        return driver.findElements(By.cssSelector(selector)).stream()
                .map(element -> element.getDomAttribute(name))
                .toList();
    }

    Object script(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** The answer of a script that calls its last argument with it. */
    Object later(String script) {
        return driver.executeAsyncScript(script);
    }

    /** Begins to count the processor time of the page's thread. */
    void countProcessorTime() {
        driver.executeCdpCommand("Performance.enable", Map.of("timeDomain", "threadTicks"));
    }

    /** Processor time of the page's thread since it is counted, in milliseconds. */
    double processorMillis() {
        var metrics = (List<?>)
                driver.executeCdpCommand("Performance.getMetrics", Map.of()).get("metrics");
        return metrics.stream()
                .map(metric -> (Map<?, ?>) metric)
                .filter(metric -> "TaskDuration".equals(metric.get("name")))
                .mapToDouble(metric -> 1000 * ((Number) metric.get("value")).doubleValue())
                .sum();
    }

    /** Waits until a condition holds; what is drawn anew in the meantime is looked for again. */
    void until(String what, Condition condition) {
        new WebDriverWait(driver, LONGEST_WAIT, Duration.ofMillis(50))
                .ignoring(StaleElementReferenceException.class)
                .ignoring(org.openqa.selenium.NoSuchElementException.class)
                .ignoring(org.openqa.selenium.ElementNotInteractableException.class)
                .withMessage(what)
                .until(any -> condition.holds());
    }

    /** A condition of what the page shows. */
    interface Condition {
        boolean holds();
    }

    /**
     * The violations that axe-core finds in what is shown, one line each. The page has no frames, so axe runs in it as
     * it is: {@code AxeBuilder} loads axe anew each time, and puts the results together in a second window, behind
     * which the page is hidden and ends its streams.
     */
    List<String> violations() {
        if (Boolean.TRUE.equals(script("return window.axe === undefined"))) {
            script(axe());
        }
        var found = String.valueOf(later(RUN_AXE));
        assertTrue(found.startsWith("["), found);
        return new JsonArray(found)
                .stream().map(JsonObject.class::cast).map(Browser::violation).toList();
    }

    private static String axe() {
        try {
            return new EmbeddedResourceAxeProvider().getScript();
        } catch (IOException | OperationNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String violation(JsonObject rule) {
        return rule.getString("id") + ": "
                + rule.getJsonArray("nodes").stream()
                        .map(JsonObject.class::cast)
                        .map(node -> node.getValue("target") + " " + node.getString("failureSummary"))
                        .limit(3)
                        .toList();
    }

    /** What is shown, whole, in target/screenshots. */
    void screenshot(String name) {
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the console says that is an error or a warning, since the last call. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(entry -> entry.getMessage())
                .toList();
    }

    /** The addresses that were asked for since the browser was opened, other than those of this origin. */
    List<String> requestsBeyond(String origin) {
        driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
                .map(entry -> new JsonObject(entry.getMessage()).getJsonObject("message"))
                .filter(message -> "Network.requestWillBeSent".equals(message.getString("method")))
                .map(message ->
                        message.getJsonObject("params").getJsonObject("request").getString("url"))
                .forEach(origins::add);
        return origins.stream()
                .filter(url -> !url.startsWith(origin) && !url.startsWith("data:"))
                .distinct()
                .toList();
    }

    WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    void requireNoComplaints() {
        assertEquals(List.of(), complaints(), "the console of the browser");
    }

    @Override
    public void close() {
        driver.quit();
    }
}
