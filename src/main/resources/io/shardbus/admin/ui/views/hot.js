import {h} from 'preact';
import {a, div, span} from '../el.js';
import {Late, SilentNodes, unanswered, useAnswer} from '../answers.js';
import {set, viewHref} from '../route.js';
import {details} from '../health.js';
import {Badge, Choice, DataTable, Empty, NodeLink, Panel, ShardLink, number, percent, perSecond}
    from '../widgets.js';

const MOST = 50;
const PERIOD_MS = 5000;

const MEASURES = [['messages', 'Messages/s'], ['busy', 'Time at messages']];

// Which entities and shards get the most messages, or have them in hand for longest.
export function Hot({state, params}) {
    const by = params.by === 'busy' ? 'busy' : 'messages';
    return [div({class: 'bar'}, h(Choice, {label: 'Ranked by', value: by, options: MEASURES,
        onChange: (next) => set({by: next})})),
    h(HotEntities, {key: `entities by ${by}`, by}), h(HotShards, {key: `shards by ${by}`, state, by})];
}

// Estimates of all nodes, from the messages that are measured for latencies.
function HotEntities({by}) {
    const asked = useAnswer(`api/v1/hot?by=${by}`, PERIOD_MS);
    const {answer} = asked;
    if (answer === null) {
        return unanswered(asked, 'Busiest entities');
    }
    const oneOf = Object.values(answer.oneOf);
    const hint = oneOf.length > 0 && oneOf.every((one) => one === 0) ? 'nothing is measured: latencySampling is 0'
        : `in the last minute, estimated from one message of ${[...new Set(oneOf)].sort((x, y) => x - y).join(' or ')}`;
    return [
        h(Late, {of: asked}), h(SilentNodes, {failed: answer.failed}),
        h(Panel, {title: 'Busiest entities', hint, 'data-hot': answer.entities.length}, answer.entities.length === 0
            ? h(Empty, {title: 'No message was measured in the last minute'}) : h(DataTable, {
                label: 'Busiest entities', rows: answer.entities, rowKey: (row) => `${row.type}/${row.id}`,
                rowProps: (row) => ({'data-hot-entity': row.id}),
                initial: {key: by === 'busy' ? 'busy' : 'perSecond', down: true}, columns: [
                    {key: 'id', title: 'Entity', value: (row) => row.id,
                        cell: (row) => a({href: viewHref('entities', {type: row.type, id: row.id})}, row.id)},
                    {key: 'type', title: 'Type', value: (row) => row.type,
                        cell: (row) => h(Badge, {kind: 'quiet'}, row.type)},
                    {key: 'shard', title: 'Shard', num: true, value: (row) => row.shard,
                        cell: (row) => h(ShardLink, {type: row.type, shard: row.shard})},
                    {key: 'node', title: 'Node', value: (row) => row.node ?? '',
                        cell: (row) => h(NodeLink, {id: row.node})},
                    {key: 'perSecond', title: 'Messages/s', num: true, value: (row) => row.perSecond,
                        cell: (row) => `≈ ${perSecond(row.perSecond)}`},
                    {key: 'busy', title: 'At a message', value: (row) => row.busyPercent, cell: (row) =>
                        div({class: 'vital'}, span({class: 'num'}, `${row.busyPercent.toFixed(1)} %`),
                            span({class: 'meter', 'aria-hidden': 'true'}, span({class: 'meter-fill',
                                style: {width: `${Math.min(100, row.busyPercent)}%`}})))}]}))];
}

function HotShards({state, by}) {
    const key = by === 'busy' ? 'busy' : 'rate';
    const all = details(state).filter((detail) => detail.rate !== null);
    const rows = all.flatMap((detail) => detail.shards.filter((shard) => shard.rate > 0 || shard.busy > 0)
        .map((shard) => ({...shard, type: detail.type, share: detail.rate > 0 ? shard.rate / detail.rate : 0})))
        .sort((x, y) => (y[key] ?? 0) - (x[key] ?? 0)).slice(0, MOST);
    return h(Panel, {title: 'Busiest shards', hint: `by ${by === 'busy' ? 'time at messages' : 'messages'}`
        + ' in the last seconds'},
        rows.length === 0 ? h(Empty, {title: all.length === 0 ? 'This node gives no counts of messages'
            : 'No shard got a message in the last seconds'}) : h(DataTable, {label: 'Busiest shards', rows,
            rowKey: (row) => `${row.type}/${row.shard}`, initial: {key, down: true}, columns: [
                {key: 'shard', title: 'Shard', num: true, value: (row) => row.shard,
                    cell: (row) => h(ShardLink, {type: row.type, shard: row.shard})},
                {key: 'type', title: 'Type', value: (row) => row.type,
                    cell: (row) => h(Badge, {kind: 'quiet'}, row.type)},
                {key: 'home', title: 'Home', value: (row) => row.home, cell: (row) => h(NodeLink, {id: row.home})},
                {key: 'rate', title: 'Messages/s', num: true, value: (row) => row.rate,
                    cell: (row) => perSecond(row.rate)},
                {key: 'busy', title: 'Busy', num: true, value: (row) => row.busy ?? -1,
                    cell: (row) => percent(row.busy)},
                {key: 'share', title: 'Share of its type', value: (row) => row.share,
                    cell: (row) => div({class: 'vital'},
                    span({class: 'num'}, `${(100 * row.share).toFixed(1)} %`),
                        span({class: 'meter', 'aria-hidden': 'true'},
                        span({class: 'meter-fill', style: {width: `${100 * row.share}%`}})))},
                {key: 'entities', title: 'Live entities', num: true, value: (row) => row.entities,
                    cell: (row) => number(row.entities)}]}));
}
