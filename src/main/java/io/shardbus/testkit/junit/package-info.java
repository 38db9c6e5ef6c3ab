/** A cluster as a parameter of JUnit 5 tests. Needs {@code junit-jupiter-api}, which the library does not bring. */
package io.shardbus.testkit.junit;
