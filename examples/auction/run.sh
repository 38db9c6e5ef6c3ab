#!/usr/bin/env bash
# Starts node N (1, 2, 3, ...) of a cluster of auction houses, in the foreground; see README.md.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export SHARDBUS_STORE=${SHARDBUS_STORE:-sqlite:$here/../../target/auctions.db}
exec "$here/../common/run-node.sh" auction auction.AuctionNode "$@"
