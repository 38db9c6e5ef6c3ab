import {h} from 'preact';
import {code, div, span} from '../el.js';
import {Late, unanswered, useAnswer} from '../answers.js';
import {Badge, Clock, DataTable, Empty, NodeLink, Panel, number, plural} from '../widgets.js';

const PERIOD_MS = 5000;

// The options, warnings, collections and threads of the node that serves this page.
export function Process() {
    const asked = useAnswer('api/v1/process', PERIOD_MS);
    const {answer} = asked;
    if (answer === null) {
        return unanswered(asked, 'Process', 'the node');
    }
    const changed = Object.entries(answer.defaults).sort();
    return [
        h(Late, {of: asked, whom: 'the node'}),
        h(Panel, {title: 'Options', hint: 'those that differ from their defaults', 'data-options': changed.length},
            changed.length === 0 ? h(Empty, {title: 'All options have their defaults'})
                : div({class: 'options'}, changed.map(([key, usual]) => div({key, class: 'option', 'data-option': key},
                    span({class: 'muted'}, key),
                    code(`${text(valueOf(answer.options, key))}, default ${text(usual)}`))))),
        h(Differences, {differences: answer.differences}),
        answer.warnings && h(Panel, {title: 'Warnings', hint: 'the last ones in the log of this process',
            'data-warnings': answer.warnings.length}, answer.warnings.length === 0
            ? h(Empty, {title: 'The log has no warning'}) : h(DataTable, {label: 'Warnings',
                rows: answer.warnings.map((row, at) => ({...row, place: at})), rowKey: (row) => row.place,
                rowProps: (row) => ({'data-warning': row.logger}), initial: {key: 'at', down: true}, columns: [
                    {key: 'at', title: 'Time', value: (row) => row.at, cell: (row) => h(Clock, {at: row.at})},
                    {key: 'level', title: 'Level', value: (row) => row.level, cell: (row) => h(Badge, {kind:
                        row.level === 'ERROR' ? 'bad' : 'warn'}, row.level.toLowerCase())},
                    {key: 'logger', title: 'Logger', value: (row) => row.logger,
                        cell: (row) => span({title: row.logger}, row.logger.split('.').pop())},
                    {key: 'text', title: 'Message', value: (row) => row.text, cell: (row) => row.text}]})),
        h(Panel, {title: 'Garbage collections'}, h(DataTable, {label: 'Garbage collections', rows: answer.collections,
            rowKey: (row) => row.name, columns: [
                {key: 'name', title: 'Collector', value: (row) => row.name, cell: (row) => row.name},
                {key: 'count', title: 'Collections', num: true, value: (row) => row.count,
                    cell: (row) => number(row.count)},
                {key: 'totalMs', title: 'Total ms', num: true, value: (row) => row.totalMs,
                    cell: (row) => number(row.totalMs)}]})),
        h(Panel, {title: 'Threads', hint: answer.threadCount > answer.threads.length
            ? `${answer.threads.length} of ${answer.threadCount}, those with the most processor time`
            : plural(answer.threadCount, 'thread'), 'data-threads': answer.threads.length},
        h(DataTable, {label: 'Threads', rows: answer.threads.map((row, at) => ({...row, at})), rowKey: (row) => row.at,
            initial: {key: 'cpuMs', down: true}, columns: [
                {key: 'name', title: 'Thread', value: (row) => row.name, cell: (row) => row.name},
                {key: 'state', title: 'State', value: (row) => row.state, cell: (row) => h(Badge, {kind:
                    row.state === 'BLOCKED' ? 'bad' : 'quiet'}, row.state.toLowerCase())},
                {key: 'cpuMs', title: 'Processor ms', num: true, value: (row) => row.cpuMs,
                    cell: (row) => row.cpuMs < 0 ? 'not known' : number(row.cpuMs)},
                {key: 'waitsFor', title: 'Waits for', value: (row) => row.waitsFor ?? '',
                    cell: (row) => row.waitsFor ?? ''}]}))];
}

// Null while no coordinator answers.
function Differences({differences}) {
    const rows = Object.entries(differences ?? {}).sort();
    return h(Panel, {title: 'Options that differ between nodes', 'data-differences': rows.length}, rows.length === 0
        ? h(Empty, {title: differences ? 'All nodes have the same options' : 'The other nodes were not asked'},
            differences ? 'Those of nodes of an earlier build are not known.' : 'No coordinator answers.')
        : div({class: 'options'}, rows.map(([key, values]) => div({key, class: 'option', 'data-difference': key},
            span({class: 'muted'}, key), Object.entries(values).sort().map(([node, value]) => div({key: node},
                h(NodeLink, {id: node}), ' ', code(value ?? 'default')))))));
}

// 'a.b' of {a: {b: 1}}
const valueOf = (options, key) => key.split('.').reduce((inner, name) => inner?.[name], options);

const text = (value) => typeof value === 'string' ? `"${value}"` : JSON.stringify(value);
