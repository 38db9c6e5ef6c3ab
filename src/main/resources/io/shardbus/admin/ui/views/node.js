import {h} from 'preact';
import {dd, div, dl, dt} from '../el.js';
import {details, isSilent} from '../health.js';
import {set} from '../route.js';
import {Badge, Choice, DataTable, Empty, Panel, bytes, number, shortNode} from '../widgets.js';
import {NodeActions, setLogLevel} from '../actions.js';
import {ActionButton} from '../dialog.js';
import {Vitals} from './map.js';
import {LogLevels} from './levels.js';
import {Process} from './process.js';
import {Workers} from './workers.js';

export function NodeView({state, params}) {
    const {centers, cluster} = state.snapshot;
    const node = cluster.nodes.find((one) => one.id === params.node)
        ?? (params.node ? null : cluster.nodes.find((one) => one.id === cluster.self));
    const picker = div({class: 'bar'}, h(Choice, {label: 'Node', value: node?.id,
        options: cluster.nodes.map((one) => [one.id, shortNode(one.id)]), onChange: (id) => set({node: id})}));
    if (!node) {
        return [picker, h(Empty, {title: `${shortNode(params.node)} is no member`}, 'It has left, or was lost.')];
    }
    const regions = details(state).flatMap((detail) => detail.regions.filter((region) => region.node === node.id)
        .map((region) => ({...region, type: detail.type})));
    const counters = regions.flatMap((region) => Object.entries(region.counters)
        .map(([name, count]) => ({type: region.type, name, count})));
    return [
        picker,
        h(Panel, {title: shortNode(node.id), 'data-node': node.id, actions: [h(NodeActions, {node}),
            node.id === cluster.self && h(ActionButton, {name: 'log-level',
                onClick: () => setLogLevel(node)}, 'Log level')]},
            dl({class: 'pairs wide'},
            dt('Id'), dd(node.id), dt('Roles'), dd(node.roles.length > 0 ? node.roles.join(', ') : 'none'),
            centers.self && [dt('Data center'), dd({'data-of-center': centers.self}, centers.self)],
            dt('Application version'), dd(node.appVersion || 'not set'),
            isSilent(node, details(state)) && [dt('Answers'), dd(h(Badge, {kind: 'bad'}, 'did not answer'))],
            dt('Coordinator'), dd(node.id === cluster.coordinator ? `yes, term ${cluster.term}`
                : node.mayCoordinate ? 'no, but it may be' : 'never'),
            dt('Drained'), dd(node.drained === null ? 'the coordinator has not answered' : node.drained ? 'yes' : 'no'),
            node.versions && [dt('Versions'), dd(Object.entries(node.versions).sort()
                .map(([name, version]) => `${name} ${version}`).join(', '))],
            node.id === cluster.self && [dt('Health'), dd(h(Badge,
                {kind: state.snapshot.health.status === 'UP' ? 'ok' : 'bad'}, state.snapshot.health.status))]),
        node.startedAt && h(Vitals, {node})),
        h(Panel, {title: 'Regions', hint: number(regions.length)}, regions.length === 0
            ? h(Empty, {title: 'It takes part in no type'}) : h(DataTable, {label: 'Regions of the node', rows: regions,
                rowKey: (row) => row.type, columns: [
                    {key: 'type', title: 'Type', value: (row) => row.type, cell: (row) => row.type},
                    {key: 'part', title: 'Part', value: (row) => part(row), cell: (row) => part(row)},
                    ...[['shards', 'Shards'], ['entities', 'Live'], ['passivated', 'Passivated'],
                        ['remembered', 'Remembered'],
                        ['buffered', 'Waiting']].map(([key, title]) => ({key, title, num: true,
                            value: (row) => row[key],
                        cell: (row) => number(row[key])}))]})),
        h(Panel, {title: 'Counters', hint: 'since its regions started; those at 0 are left out'}, counters.length === 0
            ? h(Empty, {title: 'All counters are 0'}) : h(DataTable, {label: 'Counters of the node', rows: counters,
                rowKey: (row) => `${row.type}/${row.name}`, initial: {key: 'count', down: true}, columns: [
                    {key: 'type', title: 'Type', value: (row) => row.type, cell: (row) => row.type},
                    {key: 'name', title: 'Counter', value: (row) => row.name, cell: (row) => row.name},
                    {key: 'count', title: 'Count', num: true, value: (row) => row.count,
                        cell: (row) => row.name.startsWith('bytes_') ? bytes(row.count) : number(row.count)}]})),
        node.id === cluster.self && [h(Workers, {key: 'workers'}), h(LogLevels, {key: 'levels'}),
            h(Process, {key: 'process'})]];
}

const part = (region) => region.proxy ? 'proxy' : region.leaving ? 'leaving' : 'host';
