package io.shardbus.codec;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.function.Function;

/** The times of java.time as ISO texts, as fields of records; Instant comes with Vert.x. */
final class TimeModule extends SimpleModule {
    private static final long serialVersionUID = 1L;

    TimeModule() {
        super("shardbus-time");
        add(Duration.class, Duration::parse);
        add(LocalDate.class, LocalDate::parse);
        add(LocalTime.class, LocalTime::parse);
        add(LocalDateTime.class, LocalDateTime::parse);
        add(OffsetDateTime.class, OffsetDateTime::parse);
        add(ZonedDateTime.class, ZonedDateTime::parse);
    }

    private <T> void add(Class<T> type, Function<String, T> parse) {
        addSerializer(type, ToStringSerializer.instance);
        addDeserializer(type, new Parsed<>(type, parse));
    }

    private static final class Parsed<T> extends FromStringDeserializer<T> {
        private static final long serialVersionUID = 1L;

        private final transient Function<String, T> parse;

        Parsed(Class<T> type, Function<String, T> parse) {
            super(type);
            this.parse = parse;
        }

        @Override
        protected T _deserialize(String text, DeserializationContext context) {
            try {
                return parse.apply(text);
            } catch (DateTimeParseException e) {
                throw new IllegalArgumentException("not a " + _valueClass.getSimpleName(), e);
            }
        }
    }
}
