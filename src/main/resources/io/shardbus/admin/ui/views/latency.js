import {h} from 'preact';
import {a, div, span} from '../el.js';
import {Late, SilentNodes, unanswered, useAnswer} from '../answers.js';
import {nodeNow} from '../data.js';
import {set, viewHref} from '../route.js';
import {Badge, Choice, Clock, DataTable, Empty, Panel, TypePicker, number}
    from '../widgets.js';
import {chosen} from './shards.js';

const PERIOD_MS = 5000;
const WINDOWS = [['1m', 'last minute'], ['15m', '15 minutes'], ['1h', 'hour']];
const LENGTH_MS = {'1m': 60_000, '15m': 900_000, '1h': 3_600_000};
const MOST = 20;
const KINDS = {ask_local: 'ask, same node', ask_remote: 'ask, other node', handle: 'handling',
    mailbox: 'waiting in mailboxes', home: 'waiting for a home', move: 'waiting while a shard moves'};

// An ask counts as local until it has left for another node: one that failed may have waited for a home instead.
const kindOf = ({kind, outcome}) => kind === 'ask_local' && outcome !== 'ok' ? 'ask, same node or without a home'
    : KINDS[kind] ?? kind;
const homeOf = ({side, outcome}) => side === 'remote' ? 'other node'
    : outcome === 'ok' ? 'same node' : 'same node or none';

export function micros(value) {
    return value < 1000 ? `${value} µs` : value < 10_000 ? `${(value / 1000).toFixed(1)} ms`
        : value < 1_000_000 ? `${Math.round(value / 1000)} ms` : `${(value / 1_000_000).toFixed(1)} s`;
}

// How long asks, handling and waiting took on all nodes.
export function Latency({state, params}) {
    const asked = useAnswer('api/v1/latency', PERIOD_MS);
    const {answer} = asked;
    const detail = chosen(state, params);
    if (!detail) {
        return h(Empty, {title: 'This node has started no type'});
    }
    const window = LENGTH_MS[params.window] ? params.window : '1m';
    return [
        div({class: 'bar'}, h(TypePicker, {types: state.snapshot.types, value: detail.type}),
            h(Choice, {label: 'Window', value: window, options: WINDOWS, onChange: (next) => set({window: next})})),
        h(Late, {of: asked}),
        unanswered(asked) ?? h(Times, {type: detail.type, times: answer.types[detail.type], window,
            failed: answer.failed})];
}

function Times({type, times, window, failed}) {
    if (!times) {
        return h(Panel, {}, h(Empty, {title: 'No node that answered knows this type'}));
    }
    if (times.oneOf === 0) {
        return h(Panel, {}, h(Empty, {title: 'No times are measured'}, 'The option latencySampling is 0.'));
    }
    const rows = times.series.map((one) => ({...one, ...one[window]})).filter((row) => row.count > 0);
    const asks = times.slowest.filter((ask) => nodeNow() - ask.at <= LENGTH_MS[window]).slice(0, MOST);
    return [
        h(SilentNodes, {failed}),
        h(Panel, {title: 'Times', 'data-latency': rows.length,
            hint: times.oneOf === 1 ? 'every message is measured'
                : `one of ${times.oneOf} messages is measured, and every failure`},
        rows.length === 0 ? h(Empty, {title: 'Nothing was measured in this window'}) : h(DataTable, {label: 'Times',
            rows, rowKey: (row) => `${row.kind}/${row.message}/${row.outcome}`, initial: {key: 'p99', down: true},
            columns: [
                {key: 'kind', title: 'What', value: kindOf, cell: kindOf},
                {key: 'message', title: 'Message', value: (row) => row.message, cell: (row) => row.message || 'all'},
                {key: 'outcome', title: 'Outcome', value: (row) => row.outcome,
                    cell: (row) => h(Outcome, {outcome: row.outcome})},
                {key: 'count', title: 'Measured', num: true, value: (row) => row.count,
                    cell: (row) => number(row.count)},
                ...[['p50', 'p50'], ['p90', 'p90'], ['p99', 'p99'], ['max', 'Longest']].map(([key, title]) => ({
                    key, title, num: true, value: (row) => row[key], cell: (row) => micros(row[key])})),
                {key: 'spread', title: 'Spread', value: (row) => row.p50, cell: (row) => h(Spread, {row})}]})),
        h(Panel, {title: 'Slowest asks', hint: `at most ${MOST}, by their senders`},
            asks.length === 0 ? h(Empty, {title: 'No ask ended in this window'}) : h(DataTable, {label: 'Slowest asks',
                rows: asks, rowKey: (row) => `${row.at}/${row.id}/${row.micros}`, initial: {key: 'micros', down: true},
                rowProps: (row) => ({'data-slow': row.id}), columns: [
                    {key: 'micros', title: 'Time', num: true, value: (row) => row.micros,
                        cell: (row) => micros(row.micros)},
                    {key: 'id', title: 'Entity', value: (row) => row.id,
                        cell: (row) => a({href: viewHref('entities', {type, id: row.id})}, row.id)},
                    {key: 'message', title: 'Message', value: (row) => row.message, cell: (row) => row.message},
                    {key: 'side', title: 'Home', value: homeOf, cell: homeOf},
                    {key: 'outcome', title: 'Outcome', value: (row) => row.outcome,
                        cell: (row) => h(Outcome, row)},
                    {key: 'trace', title: 'Trace', value: (row) => row.trace, cell: (row) => row.trace || '–'},
                    {key: 'at', title: 'At', value: (row) => row.at, cell: (row) => h(Clock, {at: row.at})}]}))];
}

const Outcome = ({outcome, failure}) => h(Badge, {kind: outcome === 'ok' ? 'ok' : 'bad'},
    failure || outcome.replace('_', ' '));

// The histogram as bars over doublings of the time, from 1 µs on; read as text by those who do not see it.
function Spread({row}) {
    const doublings = [];
    for (const [upper, count] of row.buckets) {
        const at = Math.floor(Math.log2(Math.max(1, upper)));
        doublings[at] = (doublings[at] ?? 0) + count;
    }
    const first = doublings.findIndex((count) => count > 0);
    const bars = Array.from(doublings.slice(first), (count) => count ?? 0);
    const most = Math.max(...bars);
    const said = bars.map((count, i) => count > 0 ? `${count} to ${micros(2 ** (first + i + 1))}` : null)
        .filter(Boolean).join(', ');
    return div({class: 'spread', role: 'img', 'aria-label': said, title: said}, bars.map((count, i) => span({key: i,
        style: {height: `${count === 0 ? 0 : Math.max(8, 100 * count / most)}%`}})));
}
