/** How nodes and types start: first start, readiness, configuration files, input that is wrong. */
package io.shardbus.integration.start;
