// The events of all nodes, merged and kept while the page is open.
import {useEffect, useState} from 'preact/hooks';
import {stream} from './sse.js';
import {abbreviated, shortNode} from './widgets.js';

const MOST_OF_SHARDS = 3000;
const MOST_OTHERS = 2000;
// Vert.x takes 4,096 characters for the method, the address and the version, and a proxy adds its path.
const LONGEST_CURSOR = 3500;
// Nodes that do not answer delay the others' events.
const SILENT_MS = 20_000;
const FIRST_MS = 60_000;

// silent: the nodes that do not answer, whose events come later; lost: why no further events come, or null
export const log = {events: [], missed: 0, silent: [], lost: null};

const listeners = new Set();
const keys = new Set();
let waiting = [];
let timer = 0;

export function useEvents() {
    const [, render] = useState(0);
    useEffect(() => {
        const listener = () => render((n) => n + 1);
        listeners.add(listener);
        return () => listeners.delete(listener);
    }, []);
    return log;
}

const changed = () => listeners.forEach((listener) => listener());

// After a lost connection the last ones may come again: each counts once.
function take() {
    timer = 0;
    const fresh = waiting.filter((event) => !keys.has(key(event)));
    waiting = [];
    fresh.forEach((event) => keys.add(key(event)));
    if (fresh.length > 0) {
        log.events = [...log.events, ...fresh].sort((x, y) => y.at - x.at || y.id - x.id);
        fresh.filter((event) => event.kind === 'shard-moved').forEach(moved);
        if (log.events.length > MOST_OF_SHARDS + MOST_OTHERS) {
            log.events = newest(log.events);
            keys.clear();
            log.events.forEach((event) => keys.add(key(event)));
        }
    }
    changed();
}

// The moves of thousands of shards displace no other event.
function newest(events) {
    let ofShards = 0;
    let others = 0;
    return events.filter((event) => event.kind.startsWith('shard-') ? ofShards++ < MOST_OF_SHARDS
        : others++ < MOST_OTHERS);
}

const moves = new Map();

// Old moves may come again.
function moved(event) {
    const shard = `${event.details.type}/${event.details.shard}`;
    if (!(moves.get(shard)?.at > event.at)) {
        moves.set(shard, event);
    }
}

// The last move of a shard, as far as the kept events go.
export const lastMove = (type, shard) => moves.get(`${type}/${shard}`);

export const key = (event) => `${event.node}/${event.id}`;

// A page that begins anew gets all events again. The result ends the stream, and begins it again.
export function begin() {
    let cursor = '';
    const heard = () => {
        if (log.lost) {
            log.lost = null;
            changed();
        }
    };
    return stream({
        address: () => {
            // The cursor names each node: that of a large cluster is longer than an address may be.
            const encoded = encodeURIComponent(cursor);
            const after = encoded.length > LONGEST_CURSOR ? '' : encoded;
            log.missed = after === '' ? 0 : log.missed;
            // This connection names them again.
            log.silent = [];
            return `../api/v1/events?after=${after}`;
        },
        silentMs: SILENT_MS, firstMs: FIRST_MS,
        lost(failure) {
            log.lost = failure;
            changed();
        },
        on: {
            event(event) {
                heard();
                cursor = event.lastEventId || cursor;
                waiting.push(JSON.parse(event.data));
                timer = timer || setTimeout(take, 50);
            },
            missed(event) {
                log.missed += Object.values(JSON.parse(event.data)).reduce((sum, count) => sum + count, 0);
            },
            silent(event) {
                heard();
                log.silent = JSON.parse(event.data).nodes;
                changed();
            },
            alive: heard}});
}

const GONE_MS = 3_600_000;
const MOST_GONE = 8;

// The nodes that left or were lost in the last hour, the latest first: {id, at, lost}. watched: {id, goneAt} of those
// that vanished while this page was open, of which there may be no event yet.
export function departed(events, watched, members, now) {
    const found = new Map();
    for (const {kind, subject, at} of [...events].reverse()) {
        if (kind === 'node-joined') {
            found.delete(subject);
        } else if (kind === 'node-left' || kind === 'node-lost' || kind === 'node-dead') {
            // Each node records it at its own time, and that the process is dead later: the first one counts.
            const known = found.get(subject);
            found.set(subject, {id: subject, at: known?.at ?? at, lost: kind !== 'node-left' || Boolean(known?.lost)});
        }
    }
    for (const {id, goneAt} of watched) {
        found.has(id) || found.set(id, {id, at: goneAt, lost: null});
    }
    return [...found.values()].filter((one) => !members.has(one.id) && now - one.at < GONE_MS)
        .sort((x, y) => y.at - x.at).slice(0, MOST_GONE);
}

const nodes = (list) => list == null ? '' : (Array.isArray(list) ? list : String(list).split(/[, ]+/))
    .map((node) => shortNode(node.replace(/[[\]]/g, ''))).join(', ');

const OF_ALL_ACTIONS = ['action', 'user', 'outcome', 'reason'];

// What an operator asked for in detail: ', to B-77aa', ', level debug, minutes 10'.
const parameters = (details) => Object.entries(details).filter(([name]) => !OF_ALL_ACTIONS.includes(name)).sort()
    .map(([name, value]) => `, ${name} ${abbreviated(String(value))}`).join('');

// What an event says, as a sentence. Several nodes see the same join: the subject names it.
export function sentence(event) {
    const {subject, details} = event;
    const who = shortNode(subject);
    const sentences = {
        'node-joined': () => `${who} joined`,
        'node-left': () => `${who} left in good order`,
        'node-lost': () => `${who} is lost: it crashed, is frozen, or is cut off`,
        'node-dead': () => `the process of ${who} is gone`,
        'term-began': () => `${shortNode(event.node)} coordinates, term ${details.term}`,
        'term-ended': () => `${shortNode(event.node)} coordinates no more: ${details.reason ?? 'it ended its term'}`,
        'term-followed': () => `${shortNode(event.node)} follows ${who} in term ${details.term}`,
        'split-undecided': () => `members are lost, and no side has gone on yet: ${nodes(details.lost)}`,
        'split-went-on': () => `the side of ${shortNode(event.node)} goes on without ${nodes(details.lost)}`,
        'split-stopped': () => `the side of ${shortNode(event.node)} has stopped: ${details.reason ?? ''}`,
        'split-ended': () => 'members that were lost are back',
        'loss-undecided': () => `members are lost by a crash or a split: ${nodes(details.lost)}`,
        'loss-went-on': () => `${shortNode(event.node)} and those with it go on without ${nodes(details.lost)}`,
        'loss-settled': () => `a crash and no split: ${nodes(details.lost)} ended`,
        'shard-placed': () => `shard ${details.shard} of ${details.type} got its home at ${shortNode(details.to)}`,
        'shard-moved': () => `shard ${details.shard} of ${details.type} moved from ${shortNode(details.from)} to ${
            shortNode(details.to)} (${details.cause})`,
        'shard-stayed': () => `shard ${details.shard} of ${details.type} was to move and stayed (${details.cause})${
            details.entity == null ? '' : `: entity ${details.entity} was at one message for ${details.entityMs} ms`}${
            details.undrained ? `: not drained: ${nodes(details.undrained)}` : ''}`,
        'note': () => `${details.type ? `${details.type}: ` : ''}${details.text ?? subject}`,
        'action': () => `${details.user ?? 'an operator'} asked for: ${details.action}${
            subject ? `, ${abbreviated(subject)}` : ''}${parameters(details)}${
            details.reason ? ` (${details.outcome}: ${details.reason})` : ''}`
    };
    return sentences[event.kind]?.() ?? `${event.kind} ${subject}`;
}

const colours = {
    'node-joined': 'ok', 'node-left': 'quiet', 'node-lost': 'bad', 'node-dead': 'bad', 'term-began': 'accent',
    'term-ended': 'warn', 'split-undecided': 'bad', 'loss-undecided': 'bad',
    'loss-settled': 'warn', 'loss-went-on': 'warn', 'split-stopped': 'bad', 'split-went-on': 'warn',
        'split-ended': 'ok',
    'shard-stayed': 'warn', 'action': 'accent'};

export const colour = (event) => event.kind === 'note' && event.details.warning ? 'warn'
    : colours[event.kind] ?? 'quiet';

// Joins, losses and terms that several nodes saw, once each: the first one that was recorded.
export function distinct(events) {
    const seen = new Map();
    const result = [];
    for (let i = events.length - 1; i >= 0; i--) {
        const event = events[i];
        const shared = event.kind.startsWith('node-');
        const name = `${event.kind}/${event.subject}`;
        if (!shared || !(event.at - (seen.get(name) ?? -Infinity) < 60_000)) {
            result.push(event);
        }
        shared && seen.set(name, event.at);
    }
    return result.reverse();
}
