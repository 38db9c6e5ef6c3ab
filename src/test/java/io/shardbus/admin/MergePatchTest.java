package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Differences as RFC 7396 has them: applied to what was before they give what is now. */
class MergePatchTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"a":1}             | {"a":1}                 | {}
            {"a":1}             | {"a":2}                 | {"a":2}
            {"a":1,"b":2}       | {"a":1}                 | {"b":null}
            {}                  | {"a":{"b":1}}           | {"a":{"b":1}}
            {"a":{"b":1,"c":2}} | {"a":{"b":1,"c":3}}     | {"a":{"c":3}}
            {"a":{"b":1}}       | {"a":7}                 | {"a":7}
            {"a":7}             | {"a":{"b":1}}           | {"a":{"b":1}}
            {"a":[1,2]}         | {"a":[1,3]}             | {"a":[1,3]}
            {"a":{"b":{"c":1}}} | {"a":{"b":{}}}          | {"a":{"b":{"c":null}}}
            """)
    void saysWhatHasChanged(String before, String after, String patch) {
        var one = new JsonObject(before);
        var other = new JsonObject(after);
        assertEquals(new JsonObject(patch), MergePatch.between(one, other));
        assertEquals(other, applied(one.copy(), MergePatch.between(one, other)));
    }

    @Test
    void isMadeOnceForViewersThatHaveTheSame() {
        var patches = new LastPatch();
        var first = new JsonObject().put("a", 1);
        var second = new JsonObject().put("a", 2);
        var third = new JsonObject().put("a", 3);
        JsonObject patch = patches.between(first, second);
        assertEquals(second, patch);
        assertSame(patch, patches.between(first, second));
        assertEquals(third, patches.between(first, third));
        assertEquals(third, patches.between(second, third));
        assertEquals(new JsonObject(), patches.between(second, second.copy()));
    }

    /** As the RFC's own pseudo code. */
    private static JsonObject applied(JsonObject target, JsonObject patch) {
        for (String key : patch.fieldNames()) {
            var value = patch.getValue(key);
            if (value == null) {
                target.remove(key);
            } else if (value instanceof JsonObject inner) {
                var old = target.getValue(key);
                target.put(key, applied(old instanceof JsonObject json ? json.copy() : new JsonObject(), inner));
            } else {
                target.put(key, value);
            }
        }
        return target;
    }
}
