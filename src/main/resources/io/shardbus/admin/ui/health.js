// The state of the cluster in one sentence, and what an operator should look at first.
import {rate} from './data.js';
import {number, plural, shortNode} from './widgets.js';

const RECENT_MINUTES = 5;

export function details(state) {
    return [...state.details.values()];
}

// By how many shards the fullest node has more than the emptiest one of those that host the type.
export function imbalance(detail) {
    const hosts = detail.regions.filter((region) => !region.proxy && !region.leaving).map((region) => region.shards);
    return hosts.length < 2 ? 0 : Math.max(...hosts) - Math.min(...hosts);
}

// How many shards each lost node has, by node: they wait until its lease has expired.
function lostShards(detail, cluster) {
    const members = new Set(cluster.nodes.map((node) => node.id));
    const lost = new Map();
    detail.shards.filter((shard) => !members.has(shard.home))
        .forEach((shard) => lost.set(shard.home, (lost.get(shard.home) ?? 0) + 1));
    return lost;
}

export const lostCount = (detail, cluster) => [...lostShards(detail, cluster).values()]
    .reduce((sum, count) => sum + count, 0);

// Shards of all types: at the home of a member, of a node that is lost, wanted and without a home, and in all.
export function shardCounts(state) {
    const counts = {atHome: 0, lost: 0, homeless: 0, all: 0};
    for (const detail of details(state)) {
        const lost = lostCount(detail, state.snapshot.cluster);
        counts.atHome += detail.shards.length - lost;
        counts.lost += lost;
        counts.homeless += detail.homeless;
        counts.all += detail.numberOfShards;
    }
    return counts;
}

// Whether the node did not answer, or one of its regions did not.
export const isSilent = (node, all) => node.answers === false
    || all.some((detail) => detail.failed.includes(node.id));

// The ids of those members.
export const silentNodes = (state) => state.snapshot.cluster.nodes
    .filter((node) => isSilent(node, details(state))).map((node) => node.id);

export function sentence(state) {
    const {cluster} = state.snapshot;
    const all = details(state);
    const homes = shardCounts(state).atHome;
    const moves = all.reduce((sum, detail) => sum + detail.moves.length, 0);
    const uneven = Math.max(0, ...all.map(imbalance));
    return [plural(cluster.nodes.length, 'node'), `${plural(homes, 'shard')} at home`,
        uneven <= 1 ? `balanced ±${uneven}` : `up to ${uneven} shards apart`,
        cluster.coordinator ? `coordinator ${shortNode(cluster.coordinator)}` : 'no coordinator',
        `term ${cluster.term}`, moves === 0 ? 'no moves' : plural(moves, 'move')].join(', ');
}

// Trouble at this moment, and counts that only grow.
export const PRESENT = ['entities_not_answering', 'shards_without_memory'];
const GROWING = ['dead_letters', 'leases_lost', 'stopped_by_force', 'memory_failures', 'store_failures',
    'store_regressed', 'bus_messages_refused', 'bus_entities_refused'];

const counted = (detail, name) => detail.regions.reduce((sum, region) => sum + (region.counters[name] ?? 0), 0);

const statesLost = (counters) => Object.entries(counters).reduce((sum, [name, count]) =>
    name.startsWith('handover_') && name !== 'handover_taken' ? sum + count : sum, 0);

// [{text, count, view, grows}]: what has failed since the regions started, and whether more of it in the last minutes.
function failures(detail) {
    const grew = (read) => rate(detail.type, read, RECENT_MINUTES * 60) > 0;
    const grows = (read) => grew((sample) => read(sample.counters));
    return [
        {text: `${detail.type}: states of entities lost`, count: detail.statesLost, view: 'moves',
            // the coordinator counts those of regions that have left
            grows: grows(statesLost) || grew((sample) => sample.statesLost)},
        ...GROWING.map((name) => ({text: `${detail.type}: ${name.replaceAll('_', ' ')}`, count: counted(detail, name),
            view: 'failures', grows: grows((counters) => counters[name] ?? 0)}))
    ].filter(({count}) => count > 0);
}

// The failures that are over: the overview has them without a warning.
export const totals = (state) => details(state).flatMap(failures).filter(({grows}) => !grows);

// [{kind: bad or warn, text, view}], the worst first.
export function reasons(state) {
    const {snapshot} = state;
    const {centers, cluster, health, types} = snapshot;
    const found = [];
    const bad = (text, view = 'map') => found.push({kind: 'bad', text, view});
    const warn = (text, view = 'map') => found.push({kind: 'warn', text, view});
    cluster.available || bad('This side of the cluster is not available: a split, or too few of its nodes are here');
    cluster.coordinator || bad('No coordinator: shards that have a home work on, none gets a new one');
    cluster.coordinator && snapshot.trouble && bad(`The coordinator did not answer: ${snapshot.trouble}`);
    health.reasons.forEach((reason) => bad(`This node is not ready: ${reason}`, 'node'));
    (health.warnings ?? []).forEach((warning) => warn(warning, 'node'));
    centers.others.filter((other) => other.reachability === 'UNREACHABLE').forEach((other) => warn(
        `Data center ${other.name} is unreachable from ${shortNode(cluster.self)}`));
    for (const type of types) {
        type.waitsFor && warn(`${type.name} waits: ${type.waitsFor}`, 'overview');
        type.missingMembers && warn(`${type.name} waits for ${plural(type.missingMembers, 'more member')}`, 'map');
    }
    const members = new Set(cluster.nodes.map((node) => node.id));
    const silent = cluster.nodes.filter((node) => node.answers === false).map((node) => node.id);
    silent.length > 0 && warn(`${silent.map(shortNode).join(', ')} did not answer; the figures lack what is there`);
    for (const detail of details(state)) {
        const failed = detail.failed.filter((node) => members.has(node) && !silent.includes(node));
        failed.length > 0 && warn(`${detail.type}: ${failed.map(shortNode).join(', ')} did not answer; `
            + 'the figures lack what is there', 'map');
        // The nodes that a stopped side has lost may serve their shards on the other side.
        cluster.available && lostShards(detail, cluster).forEach((count, node) => bad(`${detail.type}: ${
            plural(count, 'shard')} ${count === 1 ? 'waits' : 'wait'} until the lease of the lost node ${
            shortNode(node)} has expired`, 'map'));
        // A shard gets its home with its first message: only those that are wanted are trouble.
        const waiting = detail.regions.reduce((sum, region) => sum + region.buffered, 0);
        detail.homeless > 0 && bad(`${detail.type}: ${plural(detail.homeless, 'shard')} wanted and without a home${
            waiting > 0 ? `, ${plural(waiting, 'message')} waiting` : ''}`, 'moves');
        detail.rebalancing === false && warn(`${detail.type} is not rebalanced: an operator has stopped it`, 'shards');
        const slow = detail.moves.filter((move) => move.ageMs > 10_000);
        slow.length > 0 && warn(`${detail.type}: ${plural(slow.length, 'move')} for more than 10 s`, 'moves');
        for (const name of PRESENT) {
            const count = counted(detail, name);
            count > 0 && warn(`${detail.type}: ${name.replaceAll('_', ' ')} ${number(count)}`, 'failures');
        }
        failures(detail).filter(({grows}) => grows).forEach(({text, count, view}) => warn(
            `${text} ${number(count)}, the last within ${RECENT_MINUTES} minutes`, view));
    }
    return found.sort((x, y) => (x.kind === 'bad' ? 0 : 1) - (y.kind === 'bad' ? 0 : 1));
}
