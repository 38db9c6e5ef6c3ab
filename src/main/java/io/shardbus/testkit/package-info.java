/** For tests of code that uses entities: references and a sharding that lead to the test instead of to a cluster. */
package io.shardbus.testkit;
