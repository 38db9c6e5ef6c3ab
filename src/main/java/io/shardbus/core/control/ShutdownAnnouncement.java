package io.shardbus.core.control;

import io.shardbus.model.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * An operator's word that the whole cluster stops, or goes on after all, as one node passes it on to all members.
 *
 * @param stops false where it goes on after all
 * @param by the node on which it was said; null for a node of an earlier build, which does not say
 * @param number orders announcements, see {@link HeardAnnouncements}; 0 for a node of an earlier build
 */
public record ShutdownAnnouncement(boolean stops, @Nullable NodeId by, long number) {}
