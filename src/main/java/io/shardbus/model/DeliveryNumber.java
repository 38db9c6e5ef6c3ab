package io.shardbus.model;

import java.util.Objects;

/**
 * Number of a command among a producer's deliveries: the same each time the command is sent, so that a persistent
 * entity executes it once, and after the deliveries that precede it.
 *
 * @param producer the name of the producer, which no other producer has and which stays the same after a restart. 1 to
 *     200 characters, without control characters
 * @param number at least 1; the numbers of one producer for one entity rise
 * @param previous the number of the last delivery to the same entity that precedes this one and is not yet settled; 0
 *     for none
 */
public record DeliveryNumber(String producer, long number, long previous) {
    public static final int LONGEST_PRODUCER = 200;

    private static final String PREFIX = "delivery:";

    /** @throws IllegalArgumentException for an invalid producer or number */
    public DeliveryNumber {
        checkProducer(producer);
        if (number < 1 || previous < 0 || previous >= number) {
            throw new IllegalArgumentException("delivery " + number + " after " + previous
                    + ": use numbers from 1 that rise, and 0 where there is none ahead");
        }
    }

    /** @throws IllegalArgumentException for an invalid name */
    public static String checkProducer(String producer) {
        Objects.requireNonNull(producer, "producer");
        if (producer.isBlank() || producer.length() > LONGEST_PRODUCER || KeyText.hasControl(producer)) {
            throw new IllegalArgumentException("the name of a producer has 1 to " + LONGEST_PRODUCER
                    + " characters, none of them a control character");
        }
        if (!KeyText.isUnicode(producer)) {
            throw new IllegalArgumentException("the name of a producer is no Unicode text");
        }
        return producer;
    }

    /** Whether a text is meant as a delivery number, and not as a {@link CommandId}, which begins with a digit. */
    public static boolean isMeantBy(String text) {
        return text.startsWith(PREFIX);
    }

    /**
     * The reverse of {@link #toString}.
     *
     * @throws IllegalArgumentException for a text that is not a delivery number
     */
    public static DeliveryNumber parse(String text) {
        String[] parts = isMeantBy(text) ? text.split(":", 4) : new String[0];
        try {
            if (parts.length == 4) {
                return new DeliveryNumber(parts[3], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw new IllegalArgumentException("a delivery is '" + PREFIX + "', its number, a colon, the one ahead of it,"
                + " a colon, and its producer");
    }

    /** The text that travels beside the message, in the place of a command id. */
    @Override
    public String toString() {
        return PREFIX + number + ":" + previous + ":" + producer;
    }
}
