package io.shardbus.datacenter;

import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;

/**
 * Frame of a link between data centers: one record of numbered fields, see docs/reference/wire.md.
 *
 * @param number of an ask and its answer or failure, rising on each link; of a greeting, the version of the link
 * @param timeout of an ask, in milliseconds
 * @param type of the entity; of a greeting, the name of the sender's data center
 * @param id of the entity; of a HELLO, the name of the data center to which it is addressed
 * @param code of a failure
 * @param entityCode of a failure; empty for none
 * @param text of a failure, or of a refusal
 */
record Frame(
        Kind kind,
        long number,
        long timeout,
        String type,
        String id,
        Buffer payload,
        String code,
        String entityCode,
        String text) {
    static final int VERSION = 1;

    /** Limit of the characters of a failure's text; the rest is cut off. */
    private static final int MOST_CHARACTERS = 2000;

    private static final Buffer NOTHING = Buffer.buffer();

    /** Numbers never change; constants are only ever added. */
    enum Kind {
        /** A kind of a later version; ignored. */
        UNKNOWN(0),
        /** First frame of the connecting node; answered with WELCOME, REFUSED or LEAVING. */
        HELLO(1),
        /** Accepts a HELLO: messages may follow. */
        WELCOME(2),
        /** Refuses a HELLO, with the reason; the sender then closes the connection. */
        REFUSED(3),
        /** Sign of life of the connecting node, one each heartbeat interval; answered with PONG or LEAVING. */
        PING(4),
        /** Answers a PING. */
        PONG(5),
        /** A message without an answer. */
        TELL(6),
        /** A message whose answer is awaited for a time; answered with ANSWER or FAILURE. */
        ASK(7),
        /** Starts an entity without a message; answered with ANSWER, which has its location, or FAILURE. */
        START(8),
        /** Answers the ASK or START of the same number. */
        ANSWER(9),
        /** Says why the ASK or START of the same number failed. */
        FAILURE(10),
        /** Answers a HELLO or a PING while this node is about to leave: the peer sends it no more messages. */
        LEAVING(11);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        private static Kind of(long number) {
            for (var kind : values()) {
                if (kind.number == number) {
                    return kind;
                }
            }
            return UNKNOWN;
        }
    }

    private static Frame plain(Kind kind, long number, String type, String id, String text) {
        return new Frame(kind, number, 0, type, id, NOTHING, "", "", text);
    }

    static Frame hello(String from, String to) {
        return plain(Kind.HELLO, VERSION, from, to, "");
    }

    static Frame welcome(String from) {
        return plain(Kind.WELCOME, VERSION, from, "", "");
    }

    static Frame refused(String why) {
        return plain(Kind.REFUSED, VERSION, "", "", why);
    }

    static Frame ping() {
        return plain(Kind.PING, 0, "", "", "");
    }

    static Frame pong() {
        return plain(Kind.PONG, 0, "", "", "");
    }

    static Frame leaving() {
        return plain(Kind.LEAVING, 0, "", "", "");
    }

    static Frame message(Kind kind, long number, long timeout, String type, String id, Buffer payload) {
        return new Frame(kind, number, timeout, type, id, payload, "", "", "");
    }

    static Frame answer(long number, Buffer payload) {
        return new Frame(Kind.ANSWER, number, 0, "", "", payload, "", "", "");
    }

    static Frame failure(long number, Throwable failure) {
        boolean known = failure instanceof ShardingException;
        var code = known ? ((ShardingException) failure).code() : FailureCode.ENTITY_FAILED;
        var entityCode = known ? ((ShardingException) failure).entityCode() : null;
        return new Frame(
                Kind.FAILURE,
                number,
                0,
                "",
                "",
                NOTHING,
                code.name(),
                entityCode == null ? "" : entityCode,
                shortened(String.valueOf(failure.getMessage())));
    }

    private static String shortened(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
    }

    /** The failure for the asker; OUTCOME_UNKNOWN for a code of a later version. */
    ShardingException toFailure() {
        FailureCode known;
        try {
            known = FailureCode.valueOf(code);
        } catch (IllegalArgumentException e) {
            known = FailureCode.OUTCOME_UNKNOWN;
        }
        return new ShardingException(known, text, entityCode.isEmpty() ? null : entityCode, null);
    }

    Buffer encode() {
        return Buffer.buffer(new FieldWriter(64 + payload.length())
                .number(1, kind.number)
                .number(2, number)
                .number(3, timeout)
                .text(4, type)
                .text(5, id)
                .bytes(6, payload.getBytes())
                .text(7, code)
                .text(8, entityCode)
                .text(9, text)
                .toBytes());
    }

    /**
     * Decodes a frame; the kind is UNKNOWN if this version does not know it.
     *
     * @throws WireFormatException for bytes that are no frame
     */
    static Frame decode(Buffer in) {
        var reader = new FieldReader(in.getBytes());
        var kind = Kind.UNKNOWN;
        long number = 0;
        long timeout = 0;
        var type = "";
        var id = "";
        var payload = NOTHING;
        var code = "";
        var entityCode = "";
        var text = "";
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> kind = Kind.of(reader.number());
                case 2 -> number = reader.number();
                case 3 -> timeout = reader.number();
                case 4 -> type = reader.text();
                case 5 -> id = reader.text();
                case 6 -> payload = Buffer.buffer(reader.bytes());
                case 7 -> code = reader.text();
                case 8 -> entityCode = reader.text();
                case 9 -> text = reader.text();
                default -> {} // of a later version
            }
        }
        return new Frame(kind, number, timeout, type, id, payload, code, entityCode, text);
    }
}
