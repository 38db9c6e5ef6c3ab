// Small parts that all views share.
import {h} from 'preact';
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {a, button, div, h2, p, section, span, table, tbody, td, th, thead, time, tr} from './el.js';
import {set, viewHref} from './route.js';

const grouped = new Intl.NumberFormat();
// One for all: to compare by localeCompare takes thirty times as long.
const texts = new Intl.Collator(undefined, {numeric: true});
const clock = new Intl.DateTimeFormat(undefined, {hour: '2-digit', minute: '2-digit', second: '2-digit',
    hourCycle: 'h23'});

export const number = (value) => value == null ? '–' : grouped.format(value);

export const perSecond = (value) => value == null ? '–'
    : value === 0 ? '0/s' : value < 10 ? `${value.toFixed(1)}/s` : `${grouped.format(Math.round(value))}/s`;

const UNITS = ['kB', 'MB', 'GB', 'TB'];

export function bytes(value) {
    if (value == null || value < 1000) {
        return value == null ? '–' : `${Math.round(value)} B`;
    }
    const power = Math.min(UNITS.length, Math.floor(Math.log10(value) / 3));
    return `${(value / 1000 ** power).toFixed(1)} ${UNITS[power - 1]}`;
}

export const bytesPerSecond = (value) => value == null ? '–' : `${bytes(value)}/s`;

export const percent = (value) => value == null ? '–' : `${value > 0 && value < 10 ? value.toFixed(1)
    : number(Math.round(value))} %`;

export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

export function duration(ms) {
    if (ms == null) {
        return '–';
    }
    if (ms < 999.5) {
        return `${Math.round(ms)} ms`;
    }
    if (ms < 9950) {
        return `${(ms / 1000).toFixed(1)} s`;
    }
    // Rounded once: 59.6 s are a minute, and 119.6 s are two.
    const seconds = Math.round(ms / 1000);
    if (seconds < 60) {
        return `${seconds} s`;
    }
    const minutes = Math.floor(seconds / 60);
    return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// Node ids are long: a name, a mark of the host, and random figures, as in A-h037cbb75b993-b462efefc161927c8f4b. Shown
// is A-b462, and the whole id in the title.
const NODE_ID = /^(?:(.*?)-)?(?:h[0-9a-f]{12}-)?([0-9a-f]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

export function shortNode(id) {
    if (!id) {
        return '–';
    }
    const parts = id.match(NODE_ID);
    if (parts) {
        return parts[1] ? `${parts[1]}-${parts[2].slice(0, 4)}` : parts[2].slice(0, 8);
    }
    return id.length > 18 ? `${id.slice(0, 17)}…` : id;
}

// A text that may be the id of a node: all others stay whole.
export const abbreviated = (text) => NODE_ID.test(text) ? shortNode(text) : text;

export const NodeLink = ({id}) => id
    ? a({class: 'node-name', href: viewHref('node', {node: id}), title: id}, shortNode(id))
    : span({class: 'muted'}, '–');

export const ShardLink = ({type, shard}) =>
    a({class: 'num', href: viewHref('shards', {type, shard})}, String(shard));

export const Clock = ({at}) =>
    time({dateTime: new Date(at).toISOString(), title: new Date(at).toISOString()}, clock.format(at));

// An id as it is to be typed: blanks that are easily overlooked as ␣, what no keyboard has as in JSON.
export const spelled = (text) => text.replace(/^ +| +$| {2,}/g, (blanks) => '␣'.repeat(blanks.length))
    .replace(/[^\P{C}\p{Cs}]|[^\P{Z} ]/gu, (sign) => sign === '\n' ? '\\n' : sign === '\t' ? '\\t'
        : `\\u${sign.codePointAt(0).toString(16).padStart(4, '0')}`);

// The time of an event, as a link to it among the events around it.
export const Moment = ({at, href = viewHref('events', {at})}) => a({href}, h(Clock, {at}));

// Above events: that further ones do not come.
export const EventsLost = ({log}) => log.lost && p({class: 'banner', role: 'status', 'data-events-lost': true},
    `The events of the last minutes may be missing: ${log.lost.message}`);

export const Panel = ({title, hint, actions, children, ...rest}) => section({class: 'panel', ...rest},
    (title || actions) && div({class: 'panel-head'}, title && h2(title), hint && span({class: 'hint'}, hint),
        actions && div({class: 'panel-actions'}, actions)),
    children);

export const Empty = ({title, children}) => div({class: 'empty'}, p({class: 'empty-title'}, title),
    children && p(children));

export const Badge = ({kind = '', children, ...rest}) => span({class: `badge ${kind}`, ...rest}, children);

const REACHED = {HERE: ['accent', 'this cluster'], REACHABLE: ['ok', 'reachable'], UNREACHABLE: ['bad', 'unreachable']};

export const Reachability = ({other}) => {
    const [kind, text] = REACHED[other.reachability] ?? ['', other.reachability.toLowerCase()];
    return h(Badge, {kind, 'data-reachability': other.reachability}, text);
};

// The data center of a node: a cluster is one, so that all nodes of this page are in the same.
export const DataCenter = ({name}) => name && h(Badge, {kind: 'quiet', 'data-center': name, title: 'data center'},
    name);

export const Tile = ({label, value, note, kind = '', href}) => h(href ? 'a' : 'div', {class: `tile ${kind}`, href},
    span({class: 'tile-label'}, label), span({class: 'tile-value'}, value), note && span({class: 'tile-note'}, note));

export const Choice = ({label, value, options, onChange}) => div({class: 'choice', role: 'group', 'aria-label': label},
    options.map(([key, text]) => button({
        type: 'button', 'aria-pressed': String(key === value), onClick: () => onChange(key)}, text)));

// How many of something each node has, as one bar. Read as text by those who do not see it.
export const Shares = ({shares}) => {
    const total = shares.reduce((sum, share) => sum + share.count, 0);
    const said = shares.map((share) => `${shortNode(share.name)} ${share.count}`).join(', ');
    return div({class: 'shares', role: 'img', 'aria-label': said || 'none', title: said},
        shares.filter((share) => share.count > 0).map((share, i) => span({
            key: share.name, class: `share s${i % 6}`, style: {flexGrow: share.count / Math.max(1, total)}},
        span({class: 'share-text'}, number(share.count)))));
};

// A table that sorts by a click on a heading and draws only the rows in sight.
// columns: {key, title, num, value(row) to sort by, cell(row)}
const ROW = 33;
const FEW = 120;

export function DataTable({name, columns, rows, initial, rowKey, rowProps = () => ({}), label}) {
    const [order, setOrder] = useState(initial ?? {key: columns[0].key, down: false});
    const [first, setFirst] = useState(0);
    const box = useRef();
    const by = columns.find((column) => column.key === order.key) ?? columns[0];
    const sorted = rows.map((row) => [by.value(row), row]).sort(([x], [y]) => {
        const compared = typeof x === 'number' && typeof y === 'number' ? x - y
            : texts.compare(String(x ?? ''), String(y ?? ''));
        return order.down ? -compared : compared;
    }).map(([, row]) => row);
    const windowed = sorted.length > FEW;
    const from = windowed ? Math.max(0, Math.min(first, sorted.length - FEW)) : 0;
    const shown = windowed ? sorted.slice(from, from + FEW) : sorted;
    const gap = (count, key) => count > 0 && tr({key, 'aria-hidden': 'true'},
        td({colSpan: columns.length, style: {height: `${count * ROW}px`, padding: 0}}));
    const onScroll = windowed ? () => {
        const next = Math.max(0, Math.floor(box.current.scrollTop / ROW / 20) * 20 - 40);
        next === first || setFirst(next);
    } : undefined;
    return div({class: `table-box ${windowed ? 'tall' : ''}`, ref: box, onScroll, tabIndex: 0, role: 'region',
        'aria-label': label},
    table({class: `data ${name ?? ''}`, 'aria-rowcount': sorted.length + 1},
        thead(tr(columns.map((column) => th({
            key: column.key, scope: 'col', class: column.num ? 'num' : '',
            'aria-sort': column.key === order.key ? (order.down ? 'descending' : 'ascending') : 'none'},
        button({type: 'button', class: 'sort', onClick: () => setOrder({
            key: column.key, down: column.key === order.key ? !order.down : Boolean(column.num)})},
        column.title, span({class: 'arrow', 'aria-hidden': 'true'},
            column.key === order.key ? (order.down ? '▾' : '▴') : '')))))),
        tbody(gap(from, 'before'), shown.map((row) => tr({key: rowKey(row), ...rowProps(row)},
            columns.map((column) => td({key: column.key, class: column.num ? 'num' : ''}, column.cell(row))))),
        gap(sorted.length - from - shown.length, 'after'))));
}

// The width of an element, followed as it changes.
export function useWidth() {
    const ref = useRef();
    const [width, setWidth] = useState(0);
    useLayoutEffect(() => {
        const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)));
        observer.observe(ref.current);
        return () => observer.disconnect();
    }, []);
    return [ref, width];
}

// A chart that was just opened shows two minutes, the time before it was opened as empty.
const SHORTEST_SPAN = 120;

// From the samples themselves: the limits that uPlot gives are a day apart where there is a single one.
const shownSpan = (at) => [Math.min(at[0] ?? 0, (at.at(-1) ?? 0) - SHORTEST_SPAN), at.at(-1) ?? 0];

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// A curve over the time watched. lines: {label, values}; label: what a reader without eyes for it hears.
export function Chart({times, lines, label, theme, height = 132}) {
    const [box, width] = useWidth();
    const plot = useRef(null);
    const data = [times.map((at) => at / 1000), ...lines.map((line) => line.values)];
    useEffect(() => {
        if (!width || !window.uPlot) {
            return undefined;
        }
        const axis = {stroke: colour('--muted'), font: '11px system-ui, sans-serif', ticks: {show: false},
            grid: {stroke: colour('--line'), width: 1}};
        plot.current = new window.uPlot({
            width, height, legend: {show: false}, cursor: {show: false}, padding: [8, 8, 0, 0],
            scales: {x: {range: ({data}) => shownSpan(data[0])},
                y: {range: (_, low, high) => [0, Math.max(1, Math.ceil(high * 1.15))]}},
            axes: [{...axis, grid: {show: false}, space: 80, size: 26,
                values: (_, ticks) => ticks.map((tick) => clock.format(tick * 1000))},
                {...axis, size: 46, space: 28, values: (_, ticks) => ticks.map((tick) => grouped.format(tick))}],
            series: [{}, ...lines.map((line, i) => ({
                label: line.label, stroke: colour(`--c${i}`), width: 2, fill: i === 0 ? colour('--c0-fill') : undefined,
                points: {show: false}}))]
        }, data, box.current);
        return () => {
            plot.current.destroy();
            plot.current = null;
        };
    }, [width, theme, lines.length]);
    useEffect(() => plot.current?.setData(data));
    const last = lines.map((line) => `${line.label} ${number(line.values.at(-1))}`).join(', ');
    return div({class: 'chart', role: 'img', 'aria-label': `${label}: now ${last}`, style: {height: `${height}px`},
        ref: box});
}

export const Legend = ({lines}) => div({class: 'legend'}, lines.map((line, i) =>
    span({key: line.label}, span({class: `dot c${i}`, 'aria-hidden': 'true'}), line.label, ' ',
        span({class: 'num strong'}, number(line.values.at(-1))))));

export const TypePicker = ({types, value}) => types.length < 2 ? null
    : div({class: 'type-picker'}, h('label', {for: 'type'}, 'Type'), h('select', {
        id: 'type', value, onChange: (event) => set({type: event.target.value, shard: null})},
    types.map((type) => h('option', {key: type.name, value: type.name}, type.name))));
