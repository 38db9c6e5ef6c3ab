// The state of the cluster in one sentence, and what an operator should look at first.
import {plural, shortNode} from './widgets.js';

export function details(state) {
    return [...state.details.values()];
}

// By how many shards the fullest node has more than the emptiest one of those that host the type.
export function imbalance(detail) {
    const hosts = detail.regions.filter((region) => !region.proxy && !region.leaving).map((region) => region.shards);
    return hosts.length < 2 ? 0 : Math.max(...hosts) - Math.min(...hosts);
}

// Shards without a home: those that no message was sent to yet, and those that lost theirs.
export function unplaced(detail) {
    return detail.numberOfShards - detail.shards.length;
}

export function sentence(state) {
    const {cluster} = state.snapshot;
    const all = details(state);
    const homes = all.reduce((sum, detail) => sum + detail.shards.length, 0);
    const moves = all.reduce((sum, detail) => sum + detail.moves.length, 0);
    const uneven = Math.max(0, ...all.map(imbalance));
    return [plural(cluster.nodes.length, 'node'), `${plural(homes, 'shard')} at home`,
        uneven <= 1 ? `balanced ±${uneven}` : `up to ${uneven} shards apart`,
        cluster.coordinator ? `coordinator ${shortNode(cluster.coordinator)}` : 'no coordinator',
        `term ${cluster.term}`, moves === 0 ? 'no moves' : plural(moves, 'move')].join(', ');
}

const WARNED = ['dead_letters', 'leases_lost', 'stopped_by_force', 'entities_not_answering', 'shards_without_memory',
    'memory_failures', 'handover_lost', 'bus_messages_refused', 'bus_entities_refused'];

// [{kind: bad or warn, text, view}], the worst first.
export function reasons(state) {
    const {snapshot} = state;
    const {centers, cluster, health, types} = snapshot;
    const found = [];
    const bad = (text, view = 'map') => found.push({kind: 'bad', text, view});
    const warn = (text, view = 'map') => found.push({kind: 'warn', text, view});
    cluster.available || bad('This side of the cluster is not available: a split, or too few of its nodes are here');
    cluster.coordinator || bad('No coordinator: shards that have a home work on, none gets a new one');
    snapshot.trouble && bad(`The coordinator did not answer: ${snapshot.trouble}`);
    health.reasons.forEach((reason) => bad(`This node is not ready: ${reason}`, 'node'));
    (health.warnings ?? []).forEach((warning) => warn(warning, 'node'));
    centers.others.filter((other) => other.reachability === 'UNREACHABLE').forEach((other) => warn(
        `Data center ${other.name} is unreachable from ${shortNode(cluster.self)}`));
    for (const type of types) {
        type.waitsFor && warn(`${type.name} waits: ${type.waitsFor}`, 'overview');
        type.missingMembers && warn(`${type.name} waits for ${plural(type.missingMembers, 'more member')}`, 'map');
    }
    for (const detail of details(state)) {
        detail.failed.length > 0 && warn(`${detail.type}: ${detail.failed.map(shortNode).join(', ')} did not answer; `
            + 'the figures lack what is there', 'map');
        // A shard gets its home with its first message: only messages that wait for one are trouble.
        const waiting = detail.regions.reduce((sum, region) => sum + region.buffered, 0);
        unplaced(detail) > 0 && waiting > 0 && warn(`${detail.type}: ${plural(waiting, 'message')} waiting, `
            + `${plural(unplaced(detail), 'shard')} without a home`, 'shards');
        detail.homeless > 0 && bad(`${detail.type}: ${plural(detail.homeless, 'shard')} lost their home`, 'moves');
        detail.rebalancing === false && warn(`${detail.type} is not rebalanced: an operator has stopped it`, 'shards');
        detail.statesLost > 0 && warn(`${detail.type}: ${plural(detail.statesLost, 'state')} of entities lost`,
            'moves');
        const slow = detail.moves.filter((move) => move.ageMs > 10_000);
        slow.length > 0 && warn(`${detail.type}: ${plural(slow.length, 'move')} for more than 10 s`, 'moves');
        for (const name of WARNED) {
            const count = detail.regions.reduce((sum, region) => sum + (region.counters[name] ?? 0), 0);
            count > 0 && warn(`${detail.type}: ${name.replaceAll('_', ' ')} ${count}`, 'failures');
        }
    }
    return found.sort((x, y) => (x.kind === 'bad' ? 0 : 1) - (y.kind === 'bad' ? 0 : 1));
}
