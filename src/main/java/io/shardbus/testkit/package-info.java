/**
 * For tests of applications. {@link io.shardbus.testkit.EntityTestKit} runs one entity as in production, in the test's
 * time; {@link io.shardbus.testkit.TestSharding} stands in for a cluster in tests of code that uses entities; {@link
 * io.shardbus.testkit.ClusterTestKit} runs several nodes.
 *
 * <p>Not allowed in: a library of tests; JUnit is used only in {@code testkit.junit}.
 */
@NullMarked
package io.shardbus.testkit;

import org.jspecify.annotations.NullMarked;
