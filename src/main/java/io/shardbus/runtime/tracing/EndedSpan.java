package io.shardbus.runtime.tracing;

import io.shardbus.model.FailureCode;
import io.vertx.core.spi.tracing.TagExtractor;

/** Tags of a span at its end: the code of a failure. */
record EndedSpan(FailureCode code) {
    static final TagExtractor<EndedSpan> TAGS = new Tags();

    private static final class Tags implements TagExtractor<EndedSpan> {
        @Override
        public int len(EndedSpan end) {
            return 1;
        }

        @Override
        public String name(EndedSpan end, int index) {
            return "shardbus.code";
        }

        @Override
        public String value(EndedSpan end, int index) {
            return end.code().name();
        }
    }
}
