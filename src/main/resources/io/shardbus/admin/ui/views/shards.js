import {h} from 'preact';
import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {a, button, code, dd, div, dl, dt, input, li, span, ul} from '../el.js';
import {MOST_MOVES, clearDesiredHome, clearDesiredHomes, moveShard, moveShards, pinShard, rebalance, setDesiredHome,
    setRebalancing, unpinShard} from '../actions.js';
import {segment} from '../api.js';
import {Late, unanswered, useAnswer} from '../answers.js';
import {nodeNow} from '../data.js';
import {ActionButton} from '../dialog.js';
import {lastMove} from '../events.js';
import {HeatMap, Scale, steps} from '../heat.js';
import {set, viewHref} from '../route.js';
import {settings} from '../settings.js';
import {Badge, Choice, DataTable, Empty, NodeLink, Panel, TypePicker, duration, number, percent, perSecond,
    plural, shortNode}
    from '../widgets.js';

// Known after two samples. Busy time is estimated by the node.
const RATES = [['rate', 'Messages/s', 'messages/s'], ['busy', 'Busy', '% busy',
    'Busy: time with messages in hand, estimated; 100 % is one message in hand at any time']];
const MEASURES = [['entities', 'Live entities', 'entities'], ['passivated', 'Passivated', 'passivated'],
    ['remembered', 'Remembered', 'remembered'], ['restarting', 'Restarting', 'restarting']];
// Of a shard that has not moved as far as the events go it is not known.
const AGE = ['age', 'Last move', 'min since the last move', 'As far as the events go'];
const MOST_IDS = 100;
const EXTERNAL = 'external';
const HOMES_MS = 3000;

export function chosen(state, params) {
    return state.details.get(params.type) ?? state.details.values().next().value ?? null;
}

export function Shards({state, params}) {
    const detail = chosen(state, params);
    if (!detail) {
        return h(Empty, {title: 'This node has started no type'});
    }
    const measures = [MEASURES[0], ...RATES.filter(([key]) => detail[key] !== null), ...MEASURES.slice(1), AGE];
    const measure = measures.find(([key]) => key === params.by) ?? measures[0];
    const shown = params.as === 'table' ? 'table' : 'grid';
    const selected = params.shard === undefined ? null : Number(params.shard);
    const select = (shard) => set({shard: shard === selected ? null : shard});
    return [
        div({class: 'bar'},
            h(TypePicker, {types: state.snapshot.types, value: detail.type}),
            h(Choice, {label: 'Colour by', value: measure[0], onChange: (by) => set({by}),
                options: measures.map(([key, title]) => [key, title])}),
            h(Choice, {label: 'Shown as', value: shown, onChange: (as) => set({as}),
                options: [['grid', 'Map'], ['table', 'Table']]}),
            h(ActionButton, {name: 'rebalance', onClick: () => rebalance(detail.type)}, 'Rebalance'),
            detail.rebalancing === false
                ? h(ActionButton, {name: 'resume', onClick: () => setRebalancing(detail.type, true)},
                    'Resume rebalancing')
                : h(ActionButton, {name: 'pause', onClick: () => setRebalancing(detail.type, false)},
                    'Stop rebalancing'),
            detail.allocation === EXTERNAL && h(ActionButton, {name: 'clear-homes',
                onClick: () => clearDesiredHomes(detail.type)}, 'Clear desired homes')),
        div({class: `split ${selected === null ? '' : 'open'}`},
            shown === 'grid' ? h(Grid, {detail, measure, selected, select,
                version: RATES.includes(measure) || measure === AGE ? state.at : 0})
                : h(Table, {key: detail.type, detail, selected, select}),
            selected !== null && h(ShardPanel, {key: `${detail.type}/${selected}`, detail, shard: selected}))];
}

function minutesSinceMove(type, shard) {
    const moved = lastMove(type, shard);
    return moved ? Math.max(0, nodeNow() - moved.at) / 60_000 : null;
}

const sum = (shards) => Math.round(shards.reduce((total, shard) => total + (shard.value ?? 0), 0));

function Grid({detail, measure, selected, select, version}) {
    const [key, , what, note] = measure;
    const {groups, largest} = useMemo(() => {
        const isAge = key === AGE[0];
        const values = detail.shards.map((shard) => isAge ? minutesSinceMove(detail.type, shard.shard) : shard[key]);
        const colours = steps(values);
        const byNode = new Map(detail.regions.filter((region) => !region.proxy).map((region) => [region.node, []]));
        const moving = new Set(detail.moves.filter((move) => move.phase !== 'waiting').map((move) => move.shard));
        detail.shards.forEach((shard, i) => {
            byNode.has(shard.home) || byNode.set(shard.home, []);
            byNode.get(shard.home).push({shard: shard.shard, value: values[i], step: colours[i],
                state: moving.has(shard.shard) ? 'handoff' : shard.state, pinned: shard.shard in detail.pins});
        });
        const all = [...byNode].sort(([x], [y]) => x < y ? -1 : 1).map(([node, shards]) => ({node, shards,
            note: `${plural(shards.length, 'shard')}${isAge ? '' : `, ${number(sum(shards))} ${what}`}`}));
        const has = new Set(detail.shards.map((shard) => shard.shard));
        const without = [];
        for (let shard = 0; shard < detail.numberOfShards; shard++) {
            has.has(shard) || without.push({shard, value: 0, step: 0, state: 'unused'});
        }
        without.length > 0 && all.push({node: '', title: 'Not used yet', shards: without,
            note: `${plural(without.length, 'shard')}: each gets its home with its first message`});
        return {groups: all, largest: Math.ceil(values.reduce((most, value) => Math.max(most, value ?? 0), 0))};
    }, [detail, key, version]);
    return h(Panel, {title: 'Shards by node', hint: `${number(detail.numberOfShards)} shards`,
        actions: h(Scale, {what, largest})},
    h(HeatMap, {groups, selected, onSelect: select, what, label: `Shards of ${detail.type} by node`}),
    div({class: 'marks'}, span(span({class: 'cell mark handoff v3'}), 'in handoff'),
        span(span({class: 'cell mark starting v0'}), 'starting'), span(span({class: 'cell mark unused v0'}),
            'not used yet'), span(span({class: 'cell mark pinned v3'}), 'pinned'),
        span({class: 'muted'}, 'Arrows move, Enter opens a shard'), note && span({class: 'muted'}, note)));
}

const hostsOf = (detail) => detail.regions.filter((region) => !region.proxy && !region.leaving)
    .map((region) => region.node);

// ticked: numbers of shards
function MoveTicked({detail, ticked, moved}) {
    const entities = detail.shards.filter((row) => ticked.has(row.shard))
        .reduce((total, row) => total + (row.entities ?? 0), 0);
    return h(ActionButton, {name: 'move-selected', disabled: ticked.size === 0 && !settings.readOnly,
        onClick: () => moveShards(detail.type, [...ticked].sort((x, y) => x - y), entities, hostsOf(detail), moved)},
    ticked.size === 0 ? 'Move selected' : `Move ${number(ticked.size)} selected`);
}

function Table({detail, selected, select}) {
    const [ticked, setTicked] = useState(new Set());
    const tick = (shard) => setTicked((now) => new Set(now.has(shard) ? [...now].filter((one) => one !== shard)
        : [...now, shard]));
    const moved = (shards) => setTicked((now) => new Set([...now].filter((shard) => !shards.includes(shard))));
    return h(Panel, {title: 'Shards', hint: number(detail.shards.length),
        actions: h(MoveTicked, {detail, ticked, moved})}, h(DataTable, {
        name: 'shards', label: `Shards of ${detail.type}`, rows: detail.shards, rowKey: (row) => row.shard,
        rowProps: (row) => ({'data-shard': row.shard, class: row.shard === selected ? 'selected' : ''}),
        initial: {key: 'shard', down: false}, columns: [
            {key: 'ticked', title: 'Select', value: (row) => ticked.has(row.shard) ? 0 : 1, cell: (row) => input({
                type: 'checkbox', checked: ticked.has(row.shard), 'aria-label': `Select shard ${row.shard}`,
                disabled: !ticked.has(row.shard) && ticked.size >= MOST_MOVES, onChange: () => tick(row.shard)})},
            {key: 'shard', title: 'Shard', num: true, value: (row) => row.shard, cell: (row) => button({
                type: 'button', class: 'link', onClick: () => select(row.shard)}, String(row.shard))},
            {key: 'home', title: 'Home', value: (row) => row.home, cell: (row) => h(NodeLink, {id: row.home})},
            {key: 'state', title: 'State', value: (row) => row.state, cell: (row) => h(Badge,
                {kind: row.state === 'active' ? 'ok' : 'warn'}, row.state)},
            {key: 'rate', title: 'Messages/s', num: true, value: (row) => row.rate ?? -1,
                cell: (row) => perSecond(row.rate)},
            {key: 'busy', title: 'Busy', num: true, value: (row) => row.busy ?? -1,
                cell: (row) => percent(row.busy)},
            ...MEASURES.map(([key, title]) => ({key, title, num: true, value: (row) => row[key],
                cell: (row) => number(row[key])})),
            {key: 'since', title: 'Moved', num: true,
                value: (row) => lastMove(detail.type, row.shard)?.at ?? 0,
                cell: (row) => since(lastMove(detail.type, row.shard))}]}));
}

const since = (moved) => moved ? `${duration(Math.max(0, nodeNow() - moved.at))} ago, ${moved.details.cause}` : '–';

function ShardPanel({detail, shard, at}) {
    const known = detail.shards.find((one) => one.shard === shard);
    const asked = useAnswer(`api/v1/types/${segment(detail.type)}/shards/${shard}`);
    const opened = useRef(true);
    useEffect(() => {
        opened.current || asked.again();
        opened.current = false;
    }, [known?.home, known?.entities]);
    const move = detail.moves.find((one) => one.shard === shard);
    const pinned = detail.pins[shard];
    const hosts = hostsOf(detail);
    const others = hosts.filter((node) => node !== known?.home);
    return h(Panel, {title: `Shard ${shard}`, class: 'panel side', 'data-detail': shard,
        actions: button({type: 'button', class: 'quiet', 'aria-label': 'Close', onClick: () => set({shard: null})},
            '✕')},
    known ? dl({class: 'pairs'},
        dt('Home'), dd(h(NodeLink, {id: known.home})),
        dt('State'), dd(h(Badge, {kind: known.state === 'active' ? 'ok' : 'warn'}, known.state)),
        pinned && [dt('Pinned to'), dd({'data-pinned': pinned}, h(NodeLink, {id: pinned}))],
        move && [dt('Move'), dd([move.phase, move.cause, `from ${shortNode(move.from)}`,
            move.to && `to ${shortNode(move.to)}`, `for ${duration(move.ageMs)}`].filter(Boolean).join(', '))],
        dt('Live entities'), dd(number(known.entities)),
        known.rate != null && [dt('Messages'), dd(`${perSecond(known.rate)}, ${number(known.messages)} at this home`)],
        known.busy != null && [dt('Busy'), dd(`${percent(known.busy)}, estimated`)],
        dt('Passivated'), dd(number(known.passivated)),
        dt('Remembered'), dd(number(known.remembered)), dt('Last move'), dd(since(lastMove(detail.type, shard))),
        dt('Fencing token'), dd(code(known.token ? `term ${known.token.term}, number ${known.token.sequence}`
            : `term ${known.term}`)))
        : h(Empty, {title: 'Not used yet'}, 'The shard gets its home with its first message.'),
    known && div({class: 'actions'},
        h(ActionButton, {name: 'move', onClick: () => moveShard(detail.type, shard, known.entities, others)}, 'Move'),
        h(ActionButton, {name: 'pin', onClick: () => pinShard(detail.type, shard, known.home, others)}, 'Pin'),
        pinned && h(ActionButton, {name: 'unpin', onClick: () => unpinShard(detail.type, shard)}, 'Unpin')),
    detail.allocation === EXTERNAL && h(DesiredHome, {type: detail.type, shard, home: known?.home, hosts}),
    a({href: viewHref('why', {type: detail.type, shard})}, 'Why is it here?'),
    h(IdList, {asked, type: detail.type}));
}

// Where a program outside wants the shard to be.
function DesiredHome({type, shard, home, hosts}) {
    const asked = useAnswer(`api/v1/types/${segment(type)}/desired-homes`, HOMES_MS);
    if (asked.answer === null) {
        return asked.failure && h(Badge, {kind: 'warn'}, asked.failure.message);
    }
    const desired = asked.answer.homes[shard];
    return [
        h(Late, {of: asked}),
        dl({class: 'pairs'}, dt('Desired home'), dd({'data-desired': desired ?? ''},
            desired ? h(NodeLink, {id: desired}) : 'none')),
        div({class: 'actions'},
            hosts.length > 0 && h(ActionButton, {name: 'set-home', onClick: () => setDesiredHome(type, shard, home,
                hosts)}, 'Set desired home'),
            desired && h(ActionButton, {name: 'clear-home', onClick: () => clearDesiredHome(type, shard)},
                'Clear it'))];
}

function IdList({asked, type}) {
    const ids = asked.answer?.entities;
    if (!ids) {
        return unanswered(asked, undefined, 'its home');
    }
    return [h(Late, {of: asked, whom: 'its home'}),
    span({class: 'hint'}, ids.length > MOST_IDS ? `The first ${MOST_IDS} of ${number(ids.length)} live entities`
        : plural(ids.length, 'live entity', 'live entities')),
    ul({class: 'ids', tabIndex: 0, 'aria-label': 'Live entities'}, ids.slice(0, MOST_IDS).map((id) =>
        li({key: id}, a({href: viewHref('entities', {type, id})}, id))))];
}
