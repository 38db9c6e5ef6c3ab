/** The admin page in a real browser. */
package io.shardbus.integration.page;
