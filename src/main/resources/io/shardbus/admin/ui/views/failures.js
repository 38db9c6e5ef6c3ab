import {h} from 'preact';
import {a, div, span} from '../el.js';
import {viewHref} from '../route.js';
import {Late, SilentNodes, unanswered, useAnswer} from '../answers.js';
import {rate} from '../data.js';
import {PRESENT, details} from '../health.js';
import {Badge, Clock, DataTable, Empty, NodeLink, Panel, ShardLink, number, perSecond}
    from '../widgets.js';

const PERIOD_MS = 5000;

// Counters of things that went as they should, and of traffic.
const WELL = new Set(['passivated', 'passivation_hits', 'passivation_misses', 'remembered', 'restarting',
    'home_requests', 'shards_handed_off', 'handover_taken', 'tells_sent', 'asks_sent', 'tells_sent_remote',
    'asks_sent_remote', 'messages_delivered', 'mailbox_waiting', 'entities_stashed', 'frames_sent_bus',
    'frames_received_bus', 'frames_sent_direct', 'frames_received_direct', 'bytes_sent_bus', 'bytes_received_bus',
    'bytes_sent_direct', 'bytes_received_direct', 'frames_repeated']);

export const Failures = ({state}) => [h(Counters, {state}), h(DeadLetters, {})];

function Counters({state}) {
    const rows = details(state).flatMap((detail) => {
        const totals = new Map();
        for (const region of detail.regions) {
            for (const [name, count] of Object.entries(region.counters).filter(([, total]) => total > 0)) {
                const known = totals.get(name) ?? {type: detail.type, name, count: 0, nodes: []};
                known.count += count;
                known.nodes.push(region.node);
                WELL.has(name) || totals.set(name, known);
            }
        }
        return [...totals.values()];
    });
    return h(Panel, {title: 'Failures by code', hint: 'since the regions started; counted where they happened',
        'data-failures': rows.length},
        rows.length === 0 ? h(Empty, {title: 'No failure was counted'},
            'Refused and failed messages, dead letters and lost leases appear here by their code.')
            : div(h(DataTable, {label: 'Failures by code', rows, rowKey: (row) => `${row.type}/${row.name}`,
                initial: {key: 'count', down: true}, columns: [
                    {key: 'name', title: 'Code', value: (row) => row.name, cell: (row) => row.name},
                    {key: 'type', title: 'Type', value: (row) => row.type,
                        cell: (row) => h(Badge, {kind: 'quiet'}, row.type)},
                    {key: 'count', title: 'Count', num: true, value: (row) => row.count,
                        cell: (row) => number(row.count)},
                    {key: 'rate', title: 'Now', num: true,
                        value: (row) => now(row) ?? 0, cell: (row) => perSecond(now(row))},
                    {key: 'nodes', title: 'Nodes', num: true, value: (row) => row.nodes.length,
                        cell: (row) => number(row.nodes.length)}]})));
}

const now = ({type, name}) => PRESENT.includes(name) ? null
    : rate(type, (sample) => sample.counters[name] ?? 0);

// The last messages without an answer that failed, on all nodes.
function DeadLetters() {
    const asked = useAnswer('api/v1/dead-letters', PERIOD_MS);
    const {answer} = asked;
    if (answer === null) {
        return unanswered(asked, 'Dead letters');
    }
    return [
        h(Late, {of: asked}), h(SilentNodes, {failed: answer.failed}),
        h(Panel, {title: 'Dead letters', hint: 'the last messages without an answer that failed',
            'data-dead-letters': answer.letters.length}, answer.letters.length === 0
            ? h(Empty, {title: 'There is no dead letter'}) : h(DataTable, {label: 'Dead letters',
                rows: answer.letters.map((row, at) => ({...row, place: at})), rowKey: (row) => row.place,
                rowProps: (row) => ({'data-dead-letter': row.id}), initial: {key: 'at', down: true}, columns: [
                    {key: 'at', title: 'Time', value: (row) => row.at, cell: (row) => h(Clock, {at: row.at})},
                    {key: 'id', title: 'Entity', value: (row) => row.id,
                        cell: (row) => a({href: viewHref('entities', {type: row.type, id: row.id})}, row.id)},
                    {key: 'type', title: 'Type', value: (row) => row.type,
                        cell: (row) => h(Badge, {kind: 'quiet'}, row.type)},
                    {key: 'shard', title: 'Shard', num: true, value: (row) => row.shard,
                        cell: (row) => h(ShardLink, {type: row.type, shard: row.shard})},
                    {key: 'message', title: 'Message', value: (row) => row.message, cell: (row) => row.message},
                    {key: 'code', title: 'Code', value: (row) => row.code,
                        cell: (row) => span({title: row.reason}, row.code)},
                    {key: 'node', title: 'Found by', value: (row) => row.node,
                        cell: (row) => h(NodeLink, {id: row.node})}]}))];
}
