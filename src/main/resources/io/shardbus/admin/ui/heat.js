// The heat map: one cell a shard, grouped by node. Draws the rows in sight only, so that 50,000 shards scroll.
import {Component, h} from 'preact';
import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {div, span} from './el.js';
import {number, shortNode, useWidth} from './widgets.js';

const STEPS = 10;
const HEAD = 34;
// More rows than this are drawn in a box that scrolls.
const FEW_ROWS = 70;
const BEYOND = 8;

// A step of the colour scale for each shard: by its share of the largest, on a square-root scale so that one hot shard
// does not make all others look alike. 0 is no colour.
export function steps(values) {
    const largest = values.reduce((most, value) => Math.max(most, value ?? 0), 0);
    return values.map((value) => !value ? 0 : Math.max(1, Math.ceil(Math.sqrt(value / largest) * STEPS)));
}

const states = {active: '', starting: 'starting', handoff: 'in handoff', unused: 'not used yet'};

// groups: {node, title, shards: [{shard, value, step, state}]} in the order in which they are shown
function layout(groups, perRow) {
    const rows = [];
    let top = 0;
    for (const group of groups) {
        rows.push({head: group, top, height: HEAD});
        top += HEAD;
        for (let at = 0; at < group.shards.length; at += perRow.count) {
            rows.push({cells: group.shards.slice(at, at + perRow.count), top, height: perRow.size});
            top += perRow.size;
        }
    }
    return {rows, height: top};
}

const said = (value) => value == null ? '–' : value < 1000 ? String(Math.round(value * 10) / 10)
    : number(Math.round(value));

function description(shard, what) {
    const mark = states[shard.state] ?? shard.state;
    const marks = [mark, shard.pinned && 'pinned'].filter(Boolean);
    return [`Shard ${shard.shard}: ${said(shard.value)} ${what}`, ...marks].join(', ');
}

// A row of cells is drawn again only if its shards, or the one of them that is selected or has the focus, change: while
// a map of many shards scrolls, only the rows that come into sight are new.
class CellRow extends Component {
    shouldComponentUpdate(next) {
        const now = this.props;
        return next.row !== now.row || next.what !== now.what || next.large !== now.large
            || next.selected !== now.selected || next.focused !== now.focused;
    }

    render({row, large, what, selected, focused}) {
        return div({role: 'row', class: 'heat-row', style: {top: `${row.top}px`}}, row.cells.map((shard) => h('div', {
            key: shard.shard, role: 'gridcell',
            class: `cell v${shard.step} ${shard.state} ${shard.pinned ? 'pinned' : ''}`,
            'data-shard': shard.shard, tabIndex: shard.shard === focused ? 0 : -1,
            'aria-selected': shard.shard === selected ? 'true' : 'false', 'aria-label': description(shard, what)
        }, large ? shard.shard : null)));
    }
}

// The shard of these cells that is meant, or null: so that other rows see no change.
const within = (cells, shard) => shard !== null && cells.some((cell) => cell.shard === shard) ? shard : null;

// A cell gets its tooltip when the pointer comes.
function describe(event) {
    const cell = event.target.closest('[data-shard]');
    if (cell) {
        cell.title = cell.getAttribute('aria-label');
    }
}

export function HeatMap({groups, selected, onSelect, what, label}) {
    const [box, width] = useWidth();
    const scroller = useRef();
    const [view, setView] = useState(0);
    const [focus, setFocus] = useState(selected ?? null);
    const moved = useRef(false);
    const count = groups.reduce((sum, group) => sum + group.shards.length, 0);
    const large = count <= 600;
    const size = large ? 36 : 16;
    const perRow = {count: Math.max(1, Math.floor(width / size)), size};
    const {rows, height} = useMemo(() => layout(groups, perRow), [groups, perRow.count, size]);
    const windowed = rows.length > FEW_ROWS;

    const tall = windowed ? Math.min(height, Math.max(320, Math.round(innerHeight * 0.66))) : height;
    const shown = windowed ? rows.filter((row) => row.top + row.height > view - BEYOND * size
        && row.top < view + tall + BEYOND * size) : rows;
    const cellRows = rows.filter((row) => row.cells);
    const first = cellRows[0]?.cells[0]?.shard;
    const known = focus !== null && cellRows.some((row) => row.cells.some((cell) => cell.shard === focus));
    const focused = known ? focus : first;

    function move(event) {
        const at = cellRows.findIndex((row) => row.cells.some((cell) => cell.shard === focused));
        if (at < 0) {
            return;
        }
        const column = cellRows[at].cells.findIndex((cell) => cell.shard === focused);
        const here = cellRows[at].cells;
        const clamp = (row) => row && row.cells[Math.min(column, row.cells.length - 1)];
        const to = {
            ArrowRight: () => here[column + 1] ?? cellRows[at + 1]?.cells[0],
            ArrowLeft: () => here[column - 1] ?? cellRows[at - 1]?.cells.at(-1),
            ArrowDown: () => clamp(cellRows[at + 1]), ArrowUp: () => clamp(cellRows[at - 1]),
            Home: () => here[0], End: () => here.at(-1),
            PageDown: () => clamp(cellRows[Math.min(cellRows.length - 1, at + 10)]),
            PageUp: () => clamp(cellRows[Math.max(0, at - 10)])
        }[event.key]?.();
        if (to) {
            event.preventDefault();
            moved.current = true;
            setFocus(to.shard);
        } else if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            onSelect(focused);
        }
    }

    useEffect(() => {
        if (!moved.current) {
            return;
        }
        moved.current = false;
        const row = cellRows.find((one) => one.cells.some((cell) => cell.shard === focused));
        if (windowed && (row.top < scroller.current.scrollTop + HEAD
            || row.top + row.height > scroller.current.scrollTop + tall)) {
            scroller.current.scrollTop = row.top - tall / 2;
            moved.current = true;
            setView(scroller.current.scrollTop);
            return;
        }
        scroller.current.querySelector(`[data-shard="${focused}"]`)?.focus({preventScroll: windowed});
    });

    function click(event) {
        const cell = event.target.closest('[data-shard]');
        if (cell) {
            setFocus(Number(cell.dataset.shard));
            onSelect(Number(cell.dataset.shard));
        }
    }

    return div({class: 'heat-box', ref: box}, width > 0 && div({
        class: `heat ${large ? 'large' : 'small'}`, ref: scroller, style: {height: `${tall}px`,
            overflowY: windowed ? 'auto' : 'visible'}, role: 'grid', 'aria-label': label, 'aria-rowcount': rows.length,
        'aria-colcount': perRow.count, onClick: click, onKeyDown: move,
        onMouseOver: describe,
        onScroll: windowed ? (event) => {
            const top = event.currentTarget.scrollTop;
            Math.abs(top - view) > size * (BEYOND / 2) && setView(top);
        } : undefined},
    div({class: 'heat-rows', role: 'presentation', style: {height: `${height}px`}}, shown.map((row) => row.head
        ? div({key: `n${row.head.node}`, role: 'row', class: 'heat-head', style: {top: `${row.top}px`}},
            span({role: 'rowheader', title: row.head.node}, row.head.title ?? shortNode(row.head.node)),
            span({role: 'gridcell', class: 'heat-note'}, row.head.note))
        : h(CellRow, {key: row.cells[0].shard, row, large, what, selected: within(row.cells, selected),
            focused: within(row.cells, focused)})))));
}

export const Scale = ({what, largest}) => div({class: 'scale', role: 'img',
    'aria-label': `Colours from none to ${number(largest)} ${what}`},
span({class: 'muted'}, `0`), span({class: 'scale-bar'}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((step) =>
    span({key: step, class: `v${step}`}))), span({class: 'muted'}, `${number(largest)} ${what}`));
