import {h} from 'preact';
import {a, div, li, p, span, ul} from '../el.js';
import {details, imbalance, lostCount, reasons, sentence, shardCounts, totals} from '../health.js';
import {colour, distinct, key, sentence as said, useEvents} from '../events.js';
import {viewHref} from '../route.js';
import {Badge, Chart, DataTable, Empty, EventsLost, Legend, Moment, NodeLink, Panel, Reachability, Shares, Tile, number,
    perSecond, plural, shortNode} from '../widgets.js';

export function Overview({state, theme}) {
    const {centers, cluster} = state.snapshot;
    const found = reasons(state);
    const all = details(state);
    const sum = (read) => all.reduce((total, detail) => total
        + detail.regions.reduce((count, region) => count + read(region), 0), 0);
    const moves = all.reduce((count, detail) => count + detail.moves.length, 0);
    const shards = shardCounts(state);
    const over = totals(state);
    const worst = found[0]?.kind;
    return [
        div({class: `headline ${worst ?? 'ok'}`},
            span({class: 'headline-mark', 'aria-hidden': 'true'}, worst === 'bad' ? '✕' : worst === 'warn' ? '!' : '✓'),
            div(p({class: 'headline-text'}, sentence(state)),
                p({class: 'headline-note'}, worst ? `${plural(found.length, 'thing')} to look at`
                    : 'All is well: nothing asks for attention'))),
        found.length > 0 && h(Panel, {title: 'Look at this first'}, ul({class: 'reasons'}, found.map((reason) =>
            li({key: reason.text, class: reason.kind}, h(Badge, {kind: reason.kind},
                reason.kind === 'bad' ? 'down' : 'warning'),
                a({href: viewHref(reason.view)}, reason.text))))),
        over.length > 0 && p({class: 'hint totals', 'data-totals': over.length}, 'Since the regions started: ',
            over.map(({text, count, view}, i) => [i > 0 && ', ',
                a({key: text, href: viewHref(view)}, `${text} ${number(count)}`)])),
        div({class: 'tiles'},
            h(Tile, {label: 'Nodes', value: number(cluster.nodes.length), note: nodesNote(cluster),
                href: viewHref('map')}),
            h(Tile, {label: 'Shards at home', value: number(shards.atHome), note: shardsNote(shards),
                kind: shards.lost + shards.homeless > 0 ? 'bad' : '', href: viewHref('shards')}),
            h(Tile, {label: 'Live entities', value: number(sum((region) => region.entities)),
                note: `${number(sum((region) => region.remembered))} remembered`, href: viewHref('entities')}),
            all.some((detail) => detail.rate !== null) && h(Tile, {label: 'Messages', href: viewHref('hot'),
                value: perSecond(all.reduce((total, detail) => total + (detail.rate ?? 0), 0)),
                    note: 'handled by entities'}),
            h(Tile, {label: 'Moves now', value: number(moves), note: waiting(all),
                href: viewHref('moves')}),
            h(Tile, {label: 'Waiting messages', value: number(sum((region) => region.buffered)),
                note: 'for their shard\'s home'})),
        div({class: 'columns'},
            all.map((detail) => h(TypePanel, {key: detail.type, detail, state, theme}))),
        all.length === 0 && h(Empty, {title: 'This node has started no type'},
            'Types appear when the application calls ClusterSharding.start or startProxy.'),
        centers.self && h(Centers, {cluster, centers}),
        h(Changes, {})];
}

// Each node has links of its own: these are those of the node that serves the page.
function Centers({cluster, centers}) {
    return h(Panel, {title: 'Data centers', hint: `as ${shortNode(cluster.self)} sees them`}, h(DataTable, {
        label: 'Data centers', rowKey: (row) => row.name, rowProps: (row) => ({'data-center-row': row.name}),
        rows: [{name: centers.self, reachability: 'HERE'}, ...centers.others], columns: [
            {key: 'name', title: 'Data center', value: (row) => row.name, cell: (row) => row.name},
            {key: 'reachability', title: 'State', value: (row) => row.reachability,
                cell: (row) => h(Reachability, {other: row})},
            {key: 'nodes', title: 'Nodes', num: true, value: (row) => nodesOf(row, cluster) ?? -1,
                cell: (row) => number(nodesOf(row, cluster))},
            {key: 'pending', title: 'Under way', num: true, value: (row) => row.pending ?? -1,
                cell: (row) => number(row.pending)},
            {key: 'lostTells', title: 'Lost', num: true, value: (row) => row.lostTells ?? -1,
                cell: (row) => number(row.lostTells)}]}));
}

// How many nodes another data center has is its own affair.
const nodesOf = (center, cluster) => center.reachability === 'HERE' ? cluster.nodes.length : null;

function waiting(all) {
    const count = all.flatMap((detail) => detail.moves).filter((move) => move.phase === 'waiting').length;
    return count === 0 ? 'none waits for its turn' : `${number(count)} wait for their turn`;
}

function shardsNote({atHome, lost, homeless, all}) {
    const unused = all - atHome - lost - homeless;
    return lost > 0 ? `${number(lost)} of lost nodes` : homeless > 0 ? `${number(homeless)} wanted and without a home`
        : unused > 0 ? `${number(unused)} not used yet` : 'all that there are';
}

function nodesNote(cluster) {
    const drained = cluster.nodes.filter((node) => node.drained).length;
    return drained > 0 ? `${drained} drained` : 'none drained';
}

function TypePanel({detail, state, theme}) {
    const history = state.history.get(detail.type) ?? [];
    const lines = [{label: 'Live entities', values: history.map((sample) => sample.live)}];
    if (history.some((sample) => sample.rate !== null)) {
        lines.unshift({label: 'Messages/s', values: history.map((sample) => sample.rate === null ? null
            : Math.round(sample.rate))});
    }
    if (history.some((sample) => sample.buffered > 0)) {
        lines.push({label: 'Waiting messages', values: history.map((sample) => sample.buffered)});
    }
    const hosts = detail.regions.filter((region) => !region.proxy);
    const uneven = imbalance(detail);
    const lost = lostCount(detail, state.snapshot.cluster);
    return h(Panel, {title: detail.type, 'data-type': detail.type,
        hint: `${number(detail.shards.length - lost)} of ${number(detail.numberOfShards)} shards at home`,
        actions: lost > 0 ? h(Badge, {kind: 'bad'}, `${number(lost)} of lost nodes`)
            : h(Badge, {kind: uneven <= 1 ? 'ok' : ''}, uneven <= 1 ? `balanced ±${uneven}` : `${uneven} apart`)},
    h(Shares, {shares: hosts.map((region) => ({name: region.node, count: region.shards}))}),
    div({class: 'share-names'}, hosts.map((region, i) => span({key: region.node},
        span({class: `dot s${i % 6}`, 'aria-hidden': 'true'}), h(NodeLink, {id: region.node}), ' ',
        span({class: 'num muted'}, plural(region.shards, 'shard'))))),
    h(Legend, {lines}),
    h(Chart, {times: history.map((sample) => sample.at + state.ahead), lines, theme,
        label: `${detail.type}, the last minutes`}));
}

function Changes() {
    const log = useEvents();
    const lines = summed(distinct(log.events)).slice(0, 7);
    return h(Panel, {title: 'What happened', actions: a({href: viewHref('events')}, 'All events')},
    h(EventsLost, {log}), lines.length === 0
        ? h(Empty, {title: 'Nothing yet'}) : ul({class: 'log'}, lines.map(({event, count}) => li({key: key(event)},
            h(Moment, {at: event.at}), h(Badge, {kind: colour(event)}, event.kind.replaceAll('-', ' ')),
            span(count === 1 ? said(event)
                : `${count} shards of ${event.details.type} moved (${event.details.cause})`)))));
}

// Moves of one type for one cause, one after the other, are one line.
function summed(events) {
    const lines = [];
    for (const event of events) {
        const last = lines.at(-1);
        if (event.kind === 'shard-moved' && last?.event.kind === 'shard-moved'
            && last.event.details.type === event.details.type && last.event.details.cause === event.details.cause) {
            last.count++;
        } else if (event.kind !== 'term-followed') {
            lines.push({event, count: 1});
        }
    }
    return lines;
}
