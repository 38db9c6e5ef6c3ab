/**
 * For tests of applications. {@link io.shardbus.testkit.EntityTestKit} runs one entity as production does, in the
 * test's time; {@link io.shardbus.testkit.TestSharding} and its references lead code that uses entities to the test
 * instead of to a cluster.
 */
package io.shardbus.testkit;
