import {h} from 'preact';
import {Late, useAnswer} from '../answers.js';
import {rescaleWorkers} from '../actions.js';
import {ActionButton} from '../dialog.js';
import {Badge, DataTable, NodeLink, Panel, number} from '../widgets.js';

const PERIOD_MS = 3000;

// The sets of workers and the singletons that were started on the node that serves this page; nothing where there is
// none.
export function Workers() {
    const daemons = useAnswer('api/v1/daemons', PERIOD_MS);
    const singletons = useAnswer('api/v1/singletons', PERIOD_MS);
    return [failed(daemons, 'Workers'), daemons.answer?.daemons?.length > 0 && h(Panel, {key: 'workers',
        title: 'Workers', hint: 'sets that were started on this node'},
    h(DataTable, {label: 'Sets of workers', rows: daemons.answer.daemons, rowKey: (row) => row.name,
        rowProps: (row) => ({'data-daemon': row.name}), columns: [
            {key: 'name', title: 'Set', value: (row) => row.name, cell: (row) => row.name},
            {key: 'workers', title: 'Workers', num: true, value: (row) => row.workers,
                cell: (row) => number(row.workers)},
            {key: 'state', title: 'State', value: (row) => String(row.completed), cell: (row) => h(Badge,
                {kind: row.completed ? 'ok' : 'warn'}, row.completed ? 'as wanted' : 'being rescaled')},
            {key: 'actions', title: 'Actions', value: (row) => row.name, cell: (row) => h(ActionButton,
                {name: 'rescale', 'aria-label': `Rescale ${row.name}`, onClick: () => rescaleWorkers(row)},
                'Rescale')}]})),
    failed(singletons, 'Singletons'), singletons.answer?.singletons?.length > 0 && h(Panel, {key: 'singletons',
        title: 'Singletons', hint: 'that were started on this node'},
    h(DataTable, {label: 'Singletons', rows: singletons.answer.singletons, rowKey: (row) => row.name,
        rowProps: (row) => ({'data-singleton': row.name}), columns: [
            {key: 'name', title: 'Name', value: (row) => row.name, cell: (row) => row.name},
            {key: 'home', title: 'Runs on', value: (row) => row.home ?? '', cell: (row) => h(NodeLink,
                {id: row.home})}]}))];
}

const failed = (asked, title) => asked.answer !== null ? h(Late, {key: `late ${title}`, of: asked, whom: 'the node'})
    : asked.failure && h(Panel, {key: `failed ${title}`, title}, h(Badge, {kind: 'bad'}, asked.failure.message));
