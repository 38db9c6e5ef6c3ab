package io.shardbus.model;

/** Texts that are keys in stores: what every store and every encoding keeps as it is. */
final class KeyText {
    private KeyText() {}

    static boolean hasControl(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** Whether each surrogate has its other half. */
    static boolean isUnicode(String text) {
        for (int i = 0; i < text.length(); i++) {
            char present = text.charAt(i);
            if (Character.isLowSurrogate(present)) {
                return false;
            }
            if (Character.isHighSurrogate(present)) {
                i++;
                if (i == text.length() || !Character.isLowSurrogate(text.charAt(i))) {
                    return false;
                }
            }
        }
        return true;
    }
}
