import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {button, div, label, li, option, p, select, span, ul} from '../el.js';
import {get, segment} from '../api.js';
import {drain, rebalance} from '../actions.js';
import {ActionButton} from '../dialog.js';
import {set} from '../route.js';
import {Badge, Choice, DataTable, Empty, NodeLink, Panel, ShardLink, Tile, TypePicker, duration, number, plural,
    shortNode} from '../widgets.js';
import {chosen} from './shards.js';

const ACTIONS = [['rebalance', 'Rebalance'], ['drain', 'Drain a node'], ['leave', 'A node leaves'],
    ['join', 'A node joins']];

// A dry run: which shards would move, without moving any. A plan costs the coordinator time: it is asked for when the
// question changes, or by the button.
export function Plan({state, params}) {
    const detail = chosen(state, params);
    const action = ACTIONS.some(([name]) => name === params.action) ? params.action : 'rebalance';
    const {nodes} = state.snapshot.cluster;
    const needsNode = action === 'drain' || action === 'leave';
    const node = nodes.find((one) => one.id === params.node) ?? nodes[0];
    const [plan, setPlan] = useState(null);
    const [asked, setAsked] = useState(0);
    const query = `action=${action}${needsNode ? `&node=${segment(node?.id ?? '')}` : ''}`;
    useEffect(() => {
        let wanted = true;
        setPlan(null);
        detail && get(`api/v1/types/${segment(detail.type)}/plan?${query}`)
            .then((answer) => wanted && setPlan(answer), (failure) => wanted && setPlan(failure));
        return () => {
            wanted = false;
        };
    }, [detail?.type, query, asked]);
    if (!detail) {
        return h(Empty, {title: 'This node has started no type'});
    }
    return [
        div({class: 'bar'}, h(TypePicker, {types: state.snapshot.types, value: detail.type}),
            h(Choice, {label: 'What if', value: action, options: ACTIONS, onChange: (next) => set({action: next})}),
            needsNode && div({class: 'type-picker'}, label({for: 'plan-node'}, 'Node'), select({id: 'plan-node',
                value: node?.id, onChange: (event) => set({node: event.target.value})},
            nodes.map((one) => option({key: one.id, value: one.id}, shortNode(one.id))))),
            button({type: 'button', 'data-action': 'plan', onClick: () => setAsked(asked + 1)}, 'Ask again'),
            action === 'rebalance' && h(ActionButton, {class: 'primary', name: 'do',
                onClick: () => rebalance(detail.type)}, 'Do it'),
            action === 'drain' && node && h(ActionButton, {class: 'danger', name: 'do',
                onClick: () => drain(node)}, 'Do it')),
        plan === null ? span({class: 'muted'}, 'Asking the coordinator …')
            : plan instanceof Error ? h(Panel, {}, h(Badge, {kind: 'bad'}, plan.message)) : h(Moves, {plan, detail})];
}

// A plan stays as it was asked for: what became of it is shown beside it.
function Moves({plan, detail}) {
    const homes = new Map(detail.shards.map((shard) => [shard.shard, shard.home]));
    const entities = new Map(detail.shards.map((shard) => [shard.shard, shard.entities ?? 0]));
    const concerned = plan.moves.reduce((sum, move) => sum + (entities.get(move.shard) ?? 0), 0);
    return [
        div({class: 'tiles'}, h(Tile, {label: 'Shards that would move', value: number(plan.moves.length),
            note: `of ${number(detail.shards.length)}`}),
        h(Tile, {label: 'Entities concerned', value: number(concerned), note: 'live now'}),
        plan.from && Object.keys(plan.from).length > 0 && h(Tile, {label: 'Shards of a node', value: spread(plan.after),
            note: `now ${spread(plan.from)}`}),
        plan.moves.length > 0 && h(Tile, {label: 'Expected time', value: duration(plan.expectedMs),
            note: plan.expectedMs == null ? 'no move is remembered' : 'as the last moves took'})),
        h(Panel, {title: 'Moves', 'data-plan': plan.moves.length}, plan.reasons.length > 0
            && ul({class: 'says'}, plan.reasons.map((reason) => li({key: reason}, reason))),
        plan.note && plan.moves.length > 0 && p({class: 'hint', 'data-note': true}, plan.note),
        plan.moves.length === 0 ? h(Empty, {title: 'Nothing would move'})
            : h(DataTable, {label: 'Moves that would follow',
            rows: plan.moves, rowKey: (row) => row.shard, initial: {key: 'shard', down: false}, columns: [
                {key: 'shard', title: 'Shard', num: true, value: (row) => row.shard,
                    cell: (row) => h(ShardLink, {type: detail.type, shard: row.shard})},
                {key: 'from', title: 'From', value: (row) => row.from, cell: (row) => h(NodeLink, {id: row.from})},
                {key: 'to', title: 'To', value: (row) => row.to ?? '', cell: (row) => row.to
                    ? h(NodeLink, {id: row.to}) : 'chosen when it moves'},
                {key: 'now', title: 'Now', value: (row) => outcome(row, homes.get(row.shard)),
                    cell: (row) => outcome(row, homes.get(row.shard))},
                {key: 'entities', title: 'Live entities', num: true, value: (row) => entities.get(row.shard) ?? 0,
                    cell: (row) => plural(entities.get(row.shard) ?? 0, 'entity', 'entities')}]}))];
}

function spread(shards) {
    const counts = Object.values(shards);
    return `${number(Math.min(...counts))} to ${number(Math.max(...counts))}`;
}

// The home is chosen when a shard has left: as many come to each node as planned, not the same ones.
function outcome(move, home) {
    return !home ? 'on its way' : home === move.from ? 'not moved' : home === move.to ? 'moved as planned'
        : `moved to ${shortNode(home)}`;
}
