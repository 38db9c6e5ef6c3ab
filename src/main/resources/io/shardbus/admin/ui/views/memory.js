import {h} from 'preact';
import {code, div, span} from '../el.js';
import {limitEntities, resetEntityLimit} from '../actions.js';
import {segment} from '../api.js';
import {Late, useAnswer} from '../answers.js';
import {rate} from '../data.js';
import {ActionButton} from '../dialog.js';
import {DataTable, Empty, NodeLink, Panel, Tile, TypePicker, number, perSecond, percent, shortNode}
    from '../widgets.js';
import {chosen} from './shards.js';

const POLICY_MS = 3000;

export function Memory({state, params}) {
    const detail = chosen(state, params);
    return detail ? h(Entities, {detail, state}) : h(Empty, {title: 'This node has started no type'});
}

function Entities({detail, state}) {
    const asked = useAnswer(`api/v1/types/${segment(detail.type)}/passivation`, POLICY_MS);
    const policy = asked.answer;
    const counted = (name) => detail.regions.reduce((sum, region) => sum + (region.counters[name] ?? 0), 0);
    const sum = (key) => detail.regions.reduce((total, region) => total + region[key], 0);
    const hits = counted('passivation_hits');
    const misses = counted('passivation_misses');
    const putAway = rate(detail.type, (sample) => sample.counters.passivated ?? 0);
    const hosts = detail.regions.filter((region) => !region.proxy);
    return [
        div({class: 'bar'}, h(TypePicker, {types: state.snapshot.types, value: detail.type})),
        div({class: 'tiles'},
            h(Tile, {label: 'Live', value: number(sum('entities')), note: limits(policy)}),
            h(Tile, {label: 'Passivated so far', value: number(counted('passivated')),
                note: putAway == null ? 'since the regions started' : `${perSecond(putAway)} now`}),
            policy?.configuredLimit && h(Tile, {label: 'Messages that met an active entity',
                value: percent(hits + misses > 0 ? 100 * hits / (hits + misses) : null),
                note: `${number(misses)} had to start one`}),
            h(Tile, {label: 'Remembered', value: number(sum('remembered')), note: 'start again by themselves'}),
            h(Tile, {label: 'Restarting', value: number(sum('restarting')), note: 'after a move or a failure'}),
            h(Tile, {label: 'Shards without their memory', value: number(counted('shards_without_memory')),
                kind: counted('shards_without_memory') > 0 ? 'warn' : '',
                note: `${number(counted('memory_failures'))} failures of the store`})),
        h(Panel, {title: 'By node'}, h(DataTable, {label: `Entities of ${detail.type} by node`, rows: hosts,
            rowKey: (row) => row.node, columns: [
                {key: 'node', title: 'Node', value: (row) => row.node, cell: (row) => h(NodeLink, {id: row.node})},
                ...['entities', 'passivated', 'remembered', 'restarting'].map((key) => ({key, title: titles[key],
                    num: true,
                    value: (row) => row[key], cell: (row) => number(row[key])}))]})),
        h(Late, {of: asked, whom: 'the node'}),
        policy && h(Panel, {title: 'Passivation', hint: 'as set on the node that serves this page',
            actions: policy.configuredLimit && h(LimitActions, {policy, detail, self: state.snapshot.cluster.self})},
        div({class: 'options'}, flat(policy).filter(([key]) => key !== 'type').map(([key, value]) =>
            div({key, class: 'option', 'data-passivation': key}, span({class: 'muted'}, key), code(value)))))];
}

function LimitActions({policy, detail, self}) {
    const live = detail.regions.find((region) => region.node === self)?.entities ?? 0;
    return div({class: 'actions'},
        h(ActionButton, {name: 'limit', onClick: () => limitEntities(policy, shortNode(self), live)}, 'Set the limit'),
        policy.activeEntityLimit !== policy.configuredLimit && h(ActionButton, {name: 'reset-limit',
            onClick: () => resetEntityLimit(policy, shortNode(self), live)}, 'Reset the limit'));
}

const titles = {entities: 'Live', passivated: 'Passivated', remembered: 'Remembered', restarting: 'Restarting'};

const limits = (policy) => policy?.configuredLimit ? `limit ${number(policy.activeEntityLimit)} a node` : 'no limit';

// {a: {b: 1}} as [['a.b', '1']]
const flat = (options, prefix = '') => Object.entries(options).flatMap(([key, value]) =>
    value !== null && typeof value === 'object' && !Array.isArray(value) ? flat(value, `${prefix}${key}.`)
        : [[prefix + key, Array.isArray(value) ? JSON.stringify(value) : String(value)]]);
