import {h} from 'preact';
import {div, span} from '../el.js';
import {details} from '../health.js';
import {Badge, DataTable, Empty, NodeLink, Panel, ShardLink, number, perSecond} from '../widgets.js';

const MOST = 50;

// The busiest shards. Entities are not sampled yet: a shard's link leads to those that it has.
export function Hot({state}) {
    const all = details(state).filter((detail) => detail.rate !== null);
    const rows = all.flatMap((detail) => detail.shards.filter((shard) => shard.rate > 0)
        .map((shard) => ({...shard, type: detail.type, share: shard.rate / detail.rate})))
        .sort((x, y) => y.rate - x.rate).slice(0, MOST);
    return h(Panel, {title: 'Busiest shards', hint: 'by messages in the last seconds; single entities are not sampled'},
        rows.length === 0 ? h(Empty, {title: all.length === 0 ? 'This node gives no counts of messages'
            : 'No shard got a message in the last seconds'}) : h(DataTable, {label: 'Busiest shards', rows,
            rowKey: (row) => `${row.type}/${row.shard}`, initial: {key: 'rate', down: true}, columns: [
                {key: 'shard', title: 'Shard', num: true, value: (row) => row.shard,
                    cell: (row) => h(ShardLink, {type: row.type, shard: row.shard})},
                {key: 'type', title: 'Type', value: (row) => row.type,
                    cell: (row) => h(Badge, {kind: 'quiet'}, row.type)},
                {key: 'home', title: 'Home', value: (row) => row.home, cell: (row) => h(NodeLink, {id: row.home})},
                {key: 'rate', title: 'Messages/s', num: true, value: (row) => row.rate,
                    cell: (row) => perSecond(row.rate)},
                {key: 'share', title: 'Share of its type', value: (row) => row.share,
                    cell: (row) => div({class: 'vital'},
                    span({class: 'num'}, `${(100 * row.share).toFixed(1)} %`),
                        span({class: 'meter', 'aria-hidden': 'true'},
                        span({class: 'meter-fill', style: {width: `${100 * row.share}%`}})))},
                {key: 'entities', title: 'Live entities', num: true, value: (row) => row.entities,
                    cell: (row) => number(row.entities)}]}));
}
