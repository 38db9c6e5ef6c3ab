package io.shardbus.codec;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.spi.PayloadCodec;
import java.util.List;

/**
 * The codecs of entity types. The result knows the type's messages and, as answers, null, Boolean, Integer, Long,
 * Double, String, Buffer, JsonObject, JsonArray, and List, Set and Map of all it knows.
 */
public final class PayloadCodecs {
    private PayloadCodecs() {}

    /** The codec to use for a definition: the user's, with the common answers around it, or the built-in one. */
    public static <M> PayloadCodec<M> of(EntityDefinition<M> definition) {
        return definition
                .codec()
                .map(codec -> custom(definition.type(), codec))
                .orElseGet(() -> forType(definition.type()));
    }

    /**
     * The built-in codec for Boolean, Integer, Long, Double, String, Buffer, JsonObject and JsonArray, for a record,
     * for an enum, and for a sealed interface of these, also through further sealed interfaces. Records and enums are
     * written as JSON by Jackson under their simple names. As answers it also knows those that an {@code Ask<R>} of a
     * message names.
     *
     * @throws IllegalArgumentException for a class that the built-in codecs do not know: the definition must bring one
     */
    public static <M> PayloadCodec<M> forType(EntityType<M> type) {
        return new TypeCodec<>(type, RecordJson.DEFAULT);
    }

    /**
     * The built-in codec, with a mapper of the application for the fields of records: for classes that need modules of
     * Jackson, such as Kotlin's. Give all nodes the same. The mapper is used as it is, except that fields which a class
     * does not have are skipped, so that a rolling update may add fields. It must not take names of classes from the
     * JSON (default typing): event-bus clients send it, too.
     *
     * @throws IllegalArgumentException as {@link #forType(EntityType)}
     */
    public static <M> PayloadCodec<M> forType(EntityType<M> type, JsonMapper mapper) {
        return new TypeCodec<>(type, new RecordJson(mapper));
    }

    /**
     * The fields of a definition's messages and answers that cannot be sent to another node, each with the reason.
     */
    public static List<String> unwritableFields(EntityDefinition<?> definition) {
        return definition
                .codec()
                .map(codec -> codec instanceof TypeCodec<?> known ? known.unwritableFields() : List.<String>of())
                .orElseGet(() -> new TypeCodec<>(definition.type(), RecordJson.DEFAULT).unwritableFields());
    }

    private static <M> PayloadCodec<M> custom(EntityType<M> type, PayloadCodec<M> codec) {
        return codec instanceof TypeCodec<M> || codec instanceof CustomCodec<M>
                ? codec
                : new CustomCodec<>(type, codec);
    }
}
