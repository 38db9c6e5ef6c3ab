package io.shardbus.admin;

/** A request that is answered with an HTTP failure. */
final class RefusedRequest extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient HttpFailure failure;

    RefusedRequest(HttpFailure failure) {
        super(failure.message(), null, false, false);
        this.failure = failure;
    }

    HttpFailure failure() {
        return failure;
    }
}
