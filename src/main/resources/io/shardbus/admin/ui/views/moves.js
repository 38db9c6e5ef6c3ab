import {h} from 'preact';
import {a, div, span} from '../el.js';
import {Late, useAnswer} from '../answers.js';
import {useEvents} from '../events.js';
import {details} from '../health.js';
import {viewHref} from '../route.js';
import {Badge, DataTable, Empty, EventsLost, Moment, NodeLink, Panel, ShardLink, Tile, duration, number,
    plural, shortNode} from '../widgets.js';

const phases = {waiting: 'waits for its turn', stopping: 'stopping entities', aborting: 'asks to stay',
    forced: 'stopping by force', placing: 'looking for a home', starting: 'starting'};

const PERIOD_MS = 5000;

// A home has a shard under one token of which these two numbers are enough.
const homeKey = ({type, shard, term, sequence}) => `${type}/${shard}/${term}/${sequence}`;

// What senders say of their waits for each home: the longest, and how many messages waited.
function costsOfMoves(answer) {
    const costs = new Map();
    for (const silence of answer?.silences ?? []) {
        const key = homeKey(silence);
        const known = costs.get(key) ?? {millis: 0, messages: 0};
        costs.set(key, {millis: Math.max(known.millis, silence.millis), messages: known.messages + silence.messages});
    }
    return costs;
}

export function Moves({state}) {
    const log = useEvents();
    const now = details(state).flatMap((detail) => detail.moves.map((move) => ({...move, type: detail.type})));
    const asked = useAnswer('api/v1/silences', PERIOD_MS);
    const costs = costsOfMoves(asked.answer);
    const events = log.events.filter((event) => event.kind === 'shard-moved' || event.kind === 'shard-stayed');
    const done = events.map((event) => ({...event.details, at: event.at, cost: costs.get(homeKey(event.details)),
        outcome: event.kind === 'shard-stayed' ? 'stayed' : event.details.forced ? 'forced' : 'moved'}));
    return [
        done.length > 0 && h(Summary, {done}),
        h(Panel, {title: 'Now', hint: number(now.length)},
            div({'aria-live': 'polite', class: 'spoken'}, now.length === 0 ? ''
                : `${plural(now.length, 'shard')} ${now.length === 1 ? 'is' : 'are'} moving`),
            now.length === 0 ? h(Empty, {title: 'No shard is moving'}) : h(DataTable, {
                label: 'Moves now', rows: now, rowKey: (row) => `${row.type}/${row.shard}`,
                initial: {key: 'age', down: true}, columns: [
                    type, shard, from, to, cause,
                    {key: 'phase', title: 'Phase', value: (row) => row.phase ?? '', cell: (row) => row.phase
                        ? `${phases[row.phase] ?? row.phase}${row.place > 0 ? `, number ${row.place}` : ''}` : '–'},
                    {key: 'age', title: 'For', num: true, value: (row) => row.ageMs,
                        cell: (row) => duration(row.ageMs)},
                    {key: 'held', title: 'Waits for', value: (row) => row.heldUpBy?.entity ?? '',
                        cell: (row) => waitsFor(row)},
                    {key: 'homeless', title: 'Without a home for', num: true, value: (row) => row.homelessMs ?? 0,
                        cell: (row) => row.homelessMs ? duration(row.homelessMs) : '–'}]})),
        h(Late, {of: asked}),
        h(EventsLost, {log}),
        h(Panel, {title: 'Done', hint: 'as the coordinators that still run recorded them'},
        done.length === 0 ? h(Empty, {title: 'No recorded move'},
            'Each coordinator records the moves of its own term, in its memory: those of one that is gone are not shown.'
                + ' Events say where the shards of its own node have been placed since.')
            : h(DataTable, {label: 'Moves done', rows: done, initial: {key: 'at', down: true},
                rowKey: (row) => `${row.type}/${row.shard}/${row.at}`,
                columns: [
                    {key: 'at', title: 'At', num: true, value: (row) => row.at, cell: (row) => h(Moment, {at: row.at})},
                    type, shard, from, to, cause, took, silence, waited, outcome]}))];
}

// What the home of a moving shard waits for: an entity and how long it has been at one message, or nodes.
function waitsFor({type, heldUpBy}) {
    if (!heldUpBy) {
        return '–';
    }
    const {entity, entityMs, entities, undrained} = heldUpBy;
    const parts = [];
    if (entity != null) {
        parts.push(a({href: viewHref('entities', {type, id: entity})}, entity), ` for ${duration(entityMs)}`);
    }
    if (undrained.length > 0) {
        parts.push(`${parts.length > 0 ? ', ' : ''}messages of ${undrained.map(shortNode).join(', ')}`);
    }
    if (parts.length === 0) {
        parts.push(entities > 0 ? `the end of ${plural(entities, 'entity', 'entities')}` : 'its last steps');
    }
    return span({'data-held-up': true}, parts);
}

function Summary({done}) {
    const moved = done.filter((move) => move.outcome !== 'stayed');
    const silences = moved.map((move) => move.homelessMs ?? 0).sort((x, y) => x - y);
    const at = (share) => silences[Math.min(silences.length - 1, Math.floor(silences.length * share))];
    return div({class: 'tiles'},
        h(Tile, {label: 'Moved', value: number(moved.length), note: `${number(done.length - moved.length)} stayed`}),
        h(Tile, {label: 'Without a home, half', value: duration(at(.5)), note: 'of the moves at most'}),
        h(Tile, {label: 'Without a home, 99 %', value: duration(at(.99)), note: 'of the moves at most'}),
        h(Tile, {label: 'Callers waited', value: duration(Math.max(0, ...done.map((move) => move.cost?.millis ?? 0))),
            note: `at most; ${plural(done.reduce((sum, move) => sum + (move.cost?.messages ?? 0), 0), 'message')}`
                + ' in all'}));
}

const type = {key: 'type', title: 'Type', value: (row) => row.type, cell: (row) => h(Badge, {kind: 'quiet'}, row.type)};
const shard = {key: 'shard', title: 'Shard', num: true, value: (row) => row.shard,
    cell: (row) => h(ShardLink, {type: row.type, shard: row.shard})};
const from = {key: 'from', title: 'From', value: (row) => row.from ?? '', cell: (row) => h(NodeLink, {id: row.from})};
const to = {key: 'to', title: 'To', value: (row) => row.to ?? '', cell: (row) => h(NodeLink, {id: row.to})};
const cause = {key: 'cause', title: 'Cause', value: (row) => row.cause ?? '', cell: (row) => row.cause
    ? h(Badge, {kind: row.cause === 'crash' ? 'bad' : 'quiet'}, row.cause) : '–'};
const took = {key: 'took', title: 'Took', num: true, value: (row) => row.durationMs ?? 0,
    cell: (row) => duration(row.durationMs)};
const silence = {key: 'silence', title: 'Without a home', num: true, value: (row) => row.homelessMs ?? 0,
    cell: (row) => span({class: row.homelessMs > 1000 ? 'warn-text' : ''}, duration(row.homelessMs))};
const waited = {key: 'waited', title: 'Callers waited', num: true, value: (row) => row.cost?.millis ?? 0,
    cell: (row) => row.cost ? span({'data-waited': row.cost.messages, class: row.cost.millis > 1000 ? 'warn-text' : '',
        title: plural(row.cost.messages, 'message')}, `${duration(row.cost.millis)} (${number(row.cost.messages)})`)
        : '–'};
const outcome = {key: 'outcome', title: 'Outcome', value: (row) => row.outcome, cell: (row) => [
    h(Badge, {kind: row.outcome === 'moved' ? 'ok' : 'warn'}, row.outcome), row.entity != null || row.undrained
        ? [' for ', waitsFor({type: row.type, heldUpBy: {entity: row.entity, entityMs: row.entityMs, entities: 0,
            undrained: row.undrained ? row.undrained.slice(1, -1).split(', ') : []}})] : '']};
