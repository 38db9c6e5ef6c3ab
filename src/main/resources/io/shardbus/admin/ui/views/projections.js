import {h} from 'preact';
import {div} from '../el.js';
import {Late, unanswered, useAnswer} from '../answers.js';
import {pauseProjection, resetProjection} from '../actions.js';
import {ActionButton} from '../dialog.js';
import {Badge, DataTable, Empty, Panel, number} from '../widgets.js';

const PERIOD_MS = 2000;

// Views that follow stored events: how far they are behind, and their actions.
export function Projections() {
    const asked = useAnswer('api/v1/projections', PERIOD_MS);
    const {answer} = asked;
    if (answer === null) {
        return unanswered(asked, undefined, 'the node');
    }
    return [h(Late, {of: asked, whom: 'the node'}), h(Panel, {title: 'Projections',
        hint: 'that were started on the node that serves this page'},
        answer.projections.length === 0 ? h(Empty, {title: 'This node has started no projection'})
            : h(DataTable, {name: 'projection', label: 'Projections', rows: answer.projections,
                rowKey: (row) => row.name, rowProps: (row) => ({'data-projection': row.name}), columns}))];
}

const count = (key, title) => ({key, title, num: true, value: (row) => row[key] ?? -1,
    cell: (row) => number(row[key])});

const stateOf = (row) => row.trouble ? ['bad', row.trouble] : row.paused ? ['warn', 'paused'] : ['ok', 'running'];

const columns = [
    {key: 'name', title: 'Name', value: (row) => row.name, cell: (row) => row.name},
    {key: 'type', title: 'Type', value: (row) => row.type, cell: (row) => h(Badge, {kind: 'quiet'}, row.type)},
    {key: 'state', title: 'State', value: (row) => stateOf(row)[1], cell: (row) => h(Badge, {kind: stateOf(row)[0]},
        stateOf(row)[1])},
    count('lag', 'Events behind'), count('parked', 'Parked'), count('workers', 'Workers'),
    {key: 'onFailure', title: 'On failure', value: (row) => row.onFailure, cell: (row) => row.onFailure},
    {key: 'actions', title: 'Actions', value: (row) => row.name, cell: (row) => !row.trouble && div({class: 'actions'},
        h(ActionButton, {name: row.paused ? 'resume' : 'pause',
            'aria-label': `${row.paused ? 'Resume' : 'Pause'} ${row.name}`,
            onClick: () => pauseProjection(row.name, !row.paused)}, row.paused ? 'Resume' : 'Pause'),
        row.paused && h(ActionButton, {name: 'reset', 'aria-label': `Reset ${row.name}`,
            onClick: () => resetProjection(row)}, 'Reset'))}];
