package io.shardbus.admin;

import io.shardbus.options.AdminOptions;

/**
 * What the page has to know of the options of its router before it asks for data: attributes of its body.
 *
 * @param environment empty where the page shows none
 */
record PageSettings(String environment, String environmentColour, boolean readOnly) {
    private static final String MARK = "@settings@";

    static PageSettings of(AdminOptions options) {
        return new PageSettings(options.getEnvironment(), options.getEnvironmentColour(), options.isReadOnly());
    }

    /** The index with these settings in place of its mark. */
    String in(String index) {
        return index.replace(
                MARK,
                "data-environment=\"" + escaped(environment) + "\" data-environment-colour=\""
                        + escaped(environmentColour) + "\" data-read-only=\"" + readOnly + '"');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("\"", "&quot;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }
}
