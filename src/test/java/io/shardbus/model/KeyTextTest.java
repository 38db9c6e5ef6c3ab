package io.shardbus.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The text of a key")
class KeyTextTest {
    /** Control characters, letters of one to three bytes, and both kinds of surrogates. */
    private static final String LETTERS = "\n\u007fab\u00e9\u20ac\ud83d\ud83e\ude00\udc00\uffff\ue000";

    @Test
    @DisplayName("is Unicode where an encoder takes it, and has control characters where Java says so")
    void comparedWithJava() {
        Random random = new Random(1);
        int texts = 0;
        for (int i = 0; i < 100_000; i++) {
            StringBuilder letters = new StringBuilder();
            for (int length = random.nextInt(6); length > 0; length--) {
                letters.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
            }
            String text = letters.toString();
            boolean isUnicode = StandardCharsets.UTF_8.newEncoder().canEncode(text);
            assertEquals(isUnicode, KeyText.isUnicode(text), text);
            assertEquals(text.chars().anyMatch(Character::isISOControl), KeyText.hasControl(text), text);
            texts += isUnicode && text.length() > 2 ? 1 : 0;
        }
        assertTrue(texts > 1000);
    }
}
