package io.shardbus.codec;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Messages and answers of a shop, in all the shapes that a message class may have. */
sealed interface Shop {
    EntityType<Shop> TYPE = EntityType.of("shop", Shop.class);

    record Add(long amount) implements Shop {}

    record Get() implements Shop, Ask<Long> {}

    record Note(String text, List<Line> lines, Map<String, Integer> counts, Duration pause, Instant at)
            implements Shop {}

    record Line(String article, int count) {}

    record Refusing(int size) implements Shop {
        public Refusing {
            if (size < 0) {
                throw new IllegalArgumentException("negative size");
            }
        }
    }

    record Typed(String type) implements Shop {}

    /** Computes more than it holds. */
    record Area(int width, int height) implements Shop {
        public int getSize() {
            return width * height;
        }

        public boolean isSquare() {
            return width == height;
        }
    }

    enum Command implements Shop {
        OPEN,
        CLOSE {
            @Override
            public String toString() {
                return "closing";
            }
        }
    }

    sealed interface Query<R> extends Shop, Ask<R> {}

    record Find(String article) implements Query<Found> {}

    record All() implements Query<List<Line>> {}

    record State() implements Query<Mood> {}

    record Pages() implements Query<Page<Line>> {}

    /** What is in stock, or why not. */
    sealed interface Found {}

    record Stock(int count, double price) implements Found {}

    record Missing(String reason) implements Found {}

    enum Mood {
        QUIET,
        BUSY
    }

    record Page<T>(List<T> items, int next) {}
}
