// What the page knows: the last snapshot, the nodes that have gone, and a history of the minutes watched.
import {useEffect, useState} from 'preact/hooks';
import {begin as beginEvents} from './events.js';
import {start} from './stream.js';

const LONGEST_HISTORY = 600;
const MOST_GONE = 8;
const RATE_MS = 4000;
// A percent of a second.
const MICROS_PER_PERCENT = 10000;

// ahead: by how much the clock of the node is ahead of this browser's, in ms
export const state = {
    // loading until the first answer, then live or stale; forbidden where the application refuses this user
    status: 'loading', at: 0, ahead: 0, failure: null, snapshot: null, details: new Map(), history: new Map(), gone: []};

const listeners = new Set();
const changed = () => listeners.forEach((listener) => listener());

export function useData() {
    const [, render] = useState(0);
    useEffect(() => {
        const listener = () => render((n) => n + 1);
        listeners.add(listener);
        return () => listeners.delete(listener);
    }, []);
    return state;
}

const sources = [];

// After a refusal: everything is asked for anew.
export function again() {
    state.status = state.snapshot ? 'stale' : 'loading';
    sources.forEach((source) => source.begin());
    changed();
}

export function begin() {
    sources.push(start({received, failed}), beginEvents());
    // The age of stale data grows although nothing arrives.
    setInterval(() => state.status === 'live' || changed(), 1000);
}

// A reader who is refused asks no more, until the reader says so.
function failed(failure) {
    const refused = failure.status === 401 || failure.status === 403;
    state.status = refused ? 'forbidden' : state.snapshot ? 'stale' : 'loading';
    state.failure = failure;
    refused && sources.forEach((source) => source.end());
    changed();
}

function received(snapshot) {
    const before = state.snapshot;
    Object.assign(state, {status: 'live', at: snapshot.at, ahead: snapshot.ahead, failure: null, snapshot});
    if (before) {
        noteGone(before.cluster.nodes, snapshot);
    }
    state.details = new Map(snapshot.details.map((detail) => [detail.type, detail]));
    snapshot.details.forEach((detail) => {
        noteRates(detail, snapshot.at);
        remember(detail, snapshot.at);
    });
    changed();
}

// Cards of lost nodes stay for a while: an operator looks for what was there a moment ago.
function noteGone(before, {cluster, at}) {
    const has = new Set(cluster.nodes.map((node) => node.id));
    const lost = before.filter((node) => !has.has(node.id)).map((node) => ({...node, goneAt: at + state.ahead}));
    state.gone = [...lost, ...state.gone].filter((node) => !has.has(node.id)).slice(0, MOST_GONE);
}

// Now, by the clock of the node that serves the page: times of events and starts are by clocks of nodes.
export const nodeNow = () => Date.now() + state.ahead;

const samples = new Map();

// How much a count grew per second; null where that is not known.
const growth = (count, before, seconds) => count == null || before == null || !(seconds > 0) ? null
    : Math.max(0, (count - before) / seconds);

const plus = (sum, value) => value === null ? sum : (sum ?? 0) + value;

// Messages per second of each shard over the last seconds, and its busy time as a percentage of these seconds. Counts
// begin anew at each home; a node of an earlier build gives none.
function noteRates(detail, at) {
    const known = samples.get(detail.type) ?? [];
    while (known.length > 1 && known[1].at <= at - RATE_MS) {
        known.shift();
    }
    const before = known[0];
    const counts = new Map();
    detail.rate = null;
    detail.busy = null;
    for (const shard of detail.shards) {
        const {home, messages, busyMicros} = shard;
        counts.set(shard.shard, {home, messages, busyMicros});
        const was = before?.counts.get(shard.shard);
        const seconds = was?.home === home ? (at - before.at) / 1000 : 0;
        shard.rate = growth(messages, was?.messages, seconds);
        shard.busy = growth(busyMicros, was?.busyMicros, seconds * MICROS_PER_PERCENT);
        detail.rate = plus(detail.rate, shard.rate);
        detail.busy = plus(detail.busy, shard.busy);
    }
    known.push({at, counts});
    samples.set(detail.type, known);
}

const heard = new Map();

// How much each counter of a type has grown since this page was opened. A region adds nothing while it does not answer,
// and where it is heard for the first time; a counter that fell is that of a new region on the same node.
function grown(detail) {
    const known = heard.get(detail.type) ?? {nodes: new Map(), sums: {}};
    const nodes = new Map();
    const sums = {...known.sums};
    for (const region of detail.regions) {
        const before = known.nodes.get(region.node);
        const counters = detail.failed.includes(region.node) ? before : region.counters;
        for (const [name, count] of Object.entries(before ? counters : {})) {
            const was = before[name] ?? 0;
            sums[name] = (sums[name] ?? 0) + (count < was ? count : count - was);
        }
        counters && nodes.set(region.node, counters);
    }
    heard.set(detail.type, {nodes, sums});
    return sums;
}

function remember(detail, at) {
    const totals = {at, live: 0, buffered: 0, rate: detail.rate, statesLost: detail.statesLost,
        counters: grown(detail)};
    for (const region of detail.regions) {
        totals.live += region.entities;
        totals.buffered += region.buffered;
    }
    const history = state.history.get(detail.type) ?? [];
    history.push(totals);
    if (history.length > LONGEST_HISTORY) {
        history.shift();
    }
    state.history.set(detail.type, history);
}

// How much a counter of a type grew per second, over the last seconds; null until two samples are known. The counters
// of a sample begin at 0 when the page is opened.
export function rate(type, read, seconds = 10) {
    const history = state.history.get(type) ?? [];
    const last = history.at(-1);
    const first = history.find((sample) => sample.at >= (last?.at ?? 0) - seconds * 1000);
    if (!last || last === first) {
        return null;
    }
    return (read(last) - read(first)) * 1000 / (last.at - first.at);
}
