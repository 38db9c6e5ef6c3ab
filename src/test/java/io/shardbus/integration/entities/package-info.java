/** The life of entities on their home: passivation, stash, supervision, metrics. */
package io.shardbus.integration.entities;
