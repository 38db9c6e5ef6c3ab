import {h} from 'preact';
import {useMemo, useRef} from 'preact/hooks';
import {div, span, table, tbody, td, th, thead, tr} from '../el.js';
import {Late, SilentNodes, unanswered, useAnswer} from '../answers.js';
import {Badge, DataTable, Empty, NodeLink, Panel, bytes, bytesPerSecond, duration, number, perSecond,
    plural, shortNode} from '../widgets.js';

const PERIOD_MS = 2000;
const STATES = {direct: ['ok', 'direct'], mixed: ['warn', 'direct and bus'], bus: ['quiet', 'event bus']};

// [{node, peer, type, ...}] with rates since the answer before, null where there was none or the region began anew.
function rows(answer, before) {
    const seconds = before ? (answer.at - before.at) / 1000 : 0;
    const earlier = new Map();
    before && each(before.nodes, (row) => earlier.set(row.key, row));
    const found = [];
    each(answer.nodes, (row) => {
        const last = earlier.get(row.key);
        const rate = (count) => last && seconds > 0 && count(row) >= count(last)
            ? (count(row) - count(last)) / seconds : null;
        found.push({...row, framesOut: rate((one) => one.sent.frames), framesIn: rate((one) => one.received.frames),
            bytesOut: rate((one) => one.sent.bytes), bytesIn: rate((one) => one.received.bytes)});
    });
    return found;
}

function each(nodes, take) {
    for (const [node, ends] of Object.entries(nodes)) {
        ends.connections.forEach((one) => take({...one, node, key: `${node} ${one.peer} ${one.type}`}));
    }
}

// Which node talks to which: by which way, how much, and what waits.
export function Connections() {
    const asked = useAnswer('api/v1/connections', PERIOD_MS);
    const before = useRef(null);
    const shown = useMemo(() => {
        const answer = asked.answer && {...asked.answer, at: asked.at};
        const found = answer && rows(answer, before.current);
        before.current = answer;
        return found;
    }, [asked.answer]);
    if (!shown) {
        return unanswered(asked);
    }
    const {nodes, failed} = asked.answer;
    return [
        h(Late, {of: asked}), h(SilentNodes, {failed}),
        h(Panel, {title: 'Who talks to whom', hint: protection(Object.values(nodes)),
            'data-connections': shown.length},
        shown.length === 0 ? h(Empty, {title: 'No lane has exchanged a frame with another node'})
            : h(Matrix, {rows: shown})),
        shown.length > 0 && h(Panel, {title: 'Connections',
            hint: 'counts since the regions started'}, h(DataTable, {name: 'connection', label: 'Connections',
            rows: shown, rowKey: (row) => row.key, initial: {key: 'framesOut', down: true},
            rowProps: (row) => ({'data-connection': `${row.node} ${row.peer}`}), columns}))];
}

function protection(ends) {
    const part = (has) => ends.every(has) ? 'all' : ends.some(has) ? 'some' : null;
    const tls = part((end) => end.tls);
    const sealed = part((end) => end.sealed);
    const said = [tls && (tls === 'all' ? 'TLS' : 'TLS on some nodes only'),
        sealed && (sealed === 'all' ? 'sealed with the cluster\'s secret' : 'sealed on some nodes only')]
        .filter(Boolean);
    return said.length === 0 ? 'neither TLS nor sealed' : said.join(', ');
}

const sort = (value) => value ?? -1;
const count = (key, title, value) => ({key, title, num: true, value, cell: (row) => number(value(row))});

const columns = [
    {key: 'node', title: 'From', value: (row) => row.node, cell: (row) => h(NodeLink, {id: row.node})},
    {key: 'peer', title: 'To', value: (row) => row.peer, cell: (row) => h(NodeLink, {id: row.peer})},
    {key: 'type', title: 'Type', value: (row) => row.type, cell: (row) => h(Badge, {kind: 'quiet'}, row.type)},
    {key: 'state', title: 'Way', value: (row) => row.state, cell: (row) => h(Way, {row})},
    {key: 'framesOut', title: 'Frames out/s', num: true, value: (row) => sort(row.framesOut),
        cell: (row) => perSecond(row.framesOut)},
    {key: 'framesIn', title: 'Frames in/s', num: true, value: (row) => sort(row.framesIn),
        cell: (row) => perSecond(row.framesIn)},
    count('sent', 'Frames out', (row) => row.sent.frames),
    count('received', 'Frames in', (row) => row.received.frames),
    {key: 'bytesOut', title: 'Out/s', num: true, value: (row) => sort(row.bytesOut),
        cell: (row) => bytesPerSecond(row.bytesOut)},
    {key: 'bytesIn', title: 'In/s', num: true, value: (row) => sort(row.bytesIn),
        cell: (row) => bytesPerSecond(row.bytesIn)},
    {key: 'sentBytes', title: 'Bytes out', num: true, value: (row) => row.sent.bytes,
        cell: (row) => bytes(row.sent.bytes)},
    {key: 'receivedBytes', title: 'Bytes in', num: true, value: (row) => row.received.bytes,
        cell: (row) => bytes(row.received.bytes)},
    count('queued', 'Queued', (row) => row.queued),
    count('unacknowledged', 'Unacknowledged', (row) => row.unacknowledged),
    count('windowFull', 'Window full', (row) => row.windowFull),
    count('repeated', 'Repeated', (row) => row.repeated),
    {key: 'heardMs', title: 'Last heard', num: true, value: (row) => sort(row.heardMs),
        cell: (row) => duration(row.heardMs)},
    {key: 'roundTripMs', title: 'Round trip', num: true, value: (row) => sort(row.roundTripMs),
        cell: (row) => row.roundTripMs === 0 ? '< 1 ms' : duration(row.roundTripMs)}];

function Way({row}) {
    const [kind, text] = STATES[row.state] ?? ['', row.state];
    return h(Badge, {kind, title: `${row.direct} of ${plural(row.lanes, 'lane')} by connections of their own`}, text);
}

// A row for each node that sends, a column for each that it sends to; all types together.
function Matrix({rows: all}) {
    const names = [...new Set(all.flatMap((row) => [row.node, row.peer]))].sort();
    const cells = new Map();
    for (const row of all) {
        const key = `${row.node} ${row.peer}`;
        const known = cells.get(key) ?? {lanes: 0, direct: 0, rate: null, windowFull: 0};
        cells.set(key, {lanes: known.lanes + row.lanes, direct: known.direct + row.direct,
            rate: row.framesOut == null ? known.rate : (known.rate ?? 0) + row.framesOut,
            windowFull: known.windowFull + row.windowFull});
    }
    const cell = (from, to) => {
        const found = cells.get(`${from} ${to}`);
        if (!found) {
            return td({key: to, class: 'num'}, from === to ? '' : span({class: 'muted'}, '–'));
        }
        const state = found.direct === 0 ? 'bus' : found.direct < found.lanes ? 'mixed' : 'direct';
        return td({key: to, class: 'num', 'data-cell': `${from} ${to}`},
            h(Way, {row: {...found, state}}), ' ', perSecond(found.rate),
            found.windowFull > 0 && h(Badge, {kind: 'warn'}, `window full ${number(found.windowFull)} times`));
    };
    return div({class: 'table-box', tabIndex: 0, role: 'region', 'aria-label': 'Who talks to whom'},
        table({class: 'data matrix'},
            thead(tr(th({scope: 'col'}, 'from, to'),
                names.map((to) => th({key: to, scope: 'col'}, shortNode(to))))),
            tbody(names.map((from) => tr({key: from}, th({scope: 'row'}, shortNode(from)),
                names.map((to) => cell(from, to)))))));
}
