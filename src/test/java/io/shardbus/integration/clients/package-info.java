/** Clients of the event bus, friendly and hostile. */
package io.shardbus.integration.clients;
