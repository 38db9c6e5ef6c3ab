import {h} from 'preact';
import {div} from '../el.js';
import {rate} from '../data.js';
import {details} from '../health.js';
import {Badge, DataTable, Empty, Panel, number, perSecond} from '../widgets.js';

// Counters of things that went as they should.
const WELL = new Set(['passivated', 'home_requests', 'shards_handed_off', 'handover_taken']);

export function Failures({state}) {
    const rows = details(state).flatMap((detail) => {
        const totals = new Map();
        for (const region of detail.regions) {
            for (const [name, count] of Object.entries(region.counters)) {
                const known = totals.get(name) ?? {type: detail.type, name, count: 0, nodes: []};
                known.count += count;
                known.nodes.push(region.node);
                WELL.has(name) || totals.set(name, known);
            }
        }
        return [...totals.values()];
    });
    return h(Panel, {title: 'Failures by code', hint: 'since the regions started; counted where they happened'},
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
                        value: (row) => rate(row.type, (sample) => sample.counters[row.name] ?? 0) ?? 0,
                        cell: (row) => perSecond(rate(row.type, (sample) => sample.counters[row.name] ?? 0))},
                    {key: 'nodes', title: 'Nodes', num: true, value: (row) => row.nodes.length,
                        cell: (row) => number(row.nodes.length)}]})));
}
