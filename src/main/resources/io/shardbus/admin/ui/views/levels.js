import {h} from 'preact';
import {Late, useAnswer} from '../answers.js';
import {resetLogLevel} from '../actions.js';
import {ActionButton} from '../dialog.js';
import {Clock, DataTable, Panel, number} from '../widgets.js';

const PERIOD_MS = 2000;

// The loggers of the node that serves this page whose level is set for a while; nothing where there is none.
export function LogLevels() {
    const asked = useAnswer('api/v1/log-levels', PERIOD_MS);
    const levels = asked.answer?.levels ?? [];
    return levels.length > 0 && h(Panel, {title: 'Log levels', hint: `${number(levels.length)} set for a while`},
        h(Late, {of: asked, whom: 'the node'}),
        h(DataTable, {label: 'Log levels', rows: levels, rowKey: (row) => row.logger,
            rowProps: (row) => ({'data-level': row.logger}), columns: [
                {key: 'logger', title: 'Logger', value: (row) => row.logger, cell: (row) => row.logger},
                {key: 'level', title: 'Level', value: (row) => row.level, cell: (row) => row.level},
                {key: 'usual', title: 'Usually', value: (row) => usual(row), cell: (row) => usual(row)},
                {key: 'until', title: 'Until', value: (row) => row.until, cell: (row) => h(Clock, {at: row.until})},
                {key: 'actions', title: 'Actions', value: (row) => row.logger, cell: (row) => h(ActionButton,
                    {name: 'reset-level', 'aria-label': `Reset the level of ${row.logger}`,
                        onClick: () => resetLogLevel(row)}, 'Reset')}]}));
}

const usual = (row) => row.usual ?? 'as the logger above it';
