package io.shardbus.integration;

import io.shardbus.EntityType;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.buffer.Buffer;

/** A message of a class that only its own codec knows; some cannot be written, some cannot be read. */
public record Fragile(String text) {
    public static final EntityType<Fragile> TYPE = EntityType.of("fragile", Fragile.class);

    /** Throws for certain texts. */
    public static final class Codec implements PayloadCodec<Fragile> {
        @Override
        public String name() {
            return "fragile";
        }

        @Override
        public boolean accepts(Object message) {
            return message instanceof Fragile;
        }

        @Override
        public void encode(Object value, Buffer out) {
            String text = ((Fragile) value).text();
            switch (text) {
                case "unwritable" -> throw new IllegalStateException("cannot write this");
                case "half written" -> {
                    out.appendString("half of it");
                    throw new IllegalStateException("cannot go on");
                }
                case "endless" -> throw new StackOverflowError("nested too deep");
                default -> out.appendString(text);
            }
        }

        @Override
        public Fragile decode(Buffer in, int start, int end) {
            String text = in.getString(start, end);
            if (text.equals("unreadable")) {
                throw new IllegalStateException("cannot read this");
            }
            if (text.equals("assertion")) {
                throw new AssertionError("the codec's author was wrong");
            }
            return new Fragile(text);
        }
    }
}
