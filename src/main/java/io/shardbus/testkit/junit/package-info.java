/**
 * A cluster as a parameter of JUnit 5 tests. Needs {@code junit-jupiter-api}, which the library does not bring.
 *
 * <p>Not allowed in: any other package of Shardbus than {@code testkit}.
 */
@NullMarked
package io.shardbus.testkit.junit;

import org.jspecify.annotations.NullMarked;
