import {h} from 'preact';
import {article, dd, div, dl, dt, h2, p, span} from '../el.js';
import {departed, useEvents} from '../events.js';
import {nodeNow} from '../data.js';
import {details, isSilent} from '../health.js';
import {Badge, DataCenter, Empty, NodeLink, Reachability, duration, number, plural, shortNode} from '../widgets.js';
import {ClusterActions, NodeActions} from '../actions.js';

export function ClusterMap({state}) {
    const {centers, cluster} = state.snapshot;
    const all = details(state);
    const log = useEvents();
    const members = new Set(cluster.nodes.map((node) => node.id));
    const gone = departed(log.events, state.gone, members, nodeNow());
    const hosting = (node) => all.some((detail) => detail.regions.some((region) => region.node === node.id
        && !region.proxy));
    const hosts = cluster.nodes.filter((node) => hosting(node));
    const proxies = cluster.nodes.filter((node) => !hosting(node));
    const most = Math.max(1, ...cluster.nodes.map((node) => shardsOf(all, node.id)));
    const card = (node) => h(NodeCard, {key: node.id, node, center: centers.self, cluster, all, most});
    return [
        h(ClusterActions, {}),
        centers.self && p({class: 'group-title', 'data-group': centers.self}, `Data center ${centers.self}`),
        div({class: 'cards'}, hosts.map(card)),
        proxies.length > 0 && [p({class: 'group-title'}, 'Without shards of their own'),
            div({class: 'cards'}, proxies.map(card))],
        gone.length > 0 && [p({class: 'group-title'}, 'Gone in the last hour'),
            div({class: 'cards'}, gone.map((node) => article({key: node.id, class: 'card gone',
                'data-gone': node.id},
                div({class: 'card-head'}, h2({title: node.id}, shortNode(node.id)), h(Badge,
                    {kind: node.lost === false ? 'quiet' : 'bad'},
                    node.lost === null ? 'gone' : node.lost ? 'lost' : 'left')),
                span({class: 'muted'}, `for ${duration(nodeNow() - node.at)}`))))],
        centers.others.map((other) => [p({key: `title ${other.name}`, class: 'group-title', 'data-group': other.name},
            `Data center ${other.name}`),
        div({key: other.name, class: 'cards'}, h(OtherCenter, {other, self: cluster.self}))]),
        cluster.nodes.length === 0 && h(Empty, {title: 'No node is known'})];
}

const shardsOf = (all, id) => all.reduce((sum, detail) => sum
    + detail.regions.filter((region) => region.node === id).reduce((n, region) => n + region.shards, 0), 0);

// Its nodes are shown by its own page.
const OtherCenter = ({other, self}) => article({class: `card ${other.reachability === 'UNREACHABLE' ? 'gone' : ''}`,
    'data-other-center': other.name},
div({class: 'card-head'}, h2(other.name), div({class: 'badges'}, h(Reachability, {other}))),
div({class: 'figures'}, figure('under way', other.pending), figure('lost', other.lostTells)),
span({class: 'muted'}, `messages of ${shortNode(self)}; its nodes are on its own page`));

function NodeCard({node, center, cluster, all, most}) {
    const regions = all.flatMap((detail) => detail.regions.filter((region) => region.node === node.id)
        .map((region) => ({...region, type: detail.type})));
    const shards = shardsOf(all, node.id);
    const leaving = regions.some((region) => region.leaving);
    const silent = isSilent(node, all);
    return article({class: `card ${silent ? 'gone' : ''}`, 'data-node': node.id, tabIndex: -1},
        div({class: 'card-head'},
            span({class: `state-dot ${silent ? 'bad' : node.drained ? 'warn' : 'ok'}`, 'aria-hidden': 'true'}),
            h2(h(NodeLink, {id: node.id})),
            div({class: 'badges'},
                h(DataCenter, {name: center}),
                node.id === cluster.coordinator && h(Badge, {kind: 'accent'}, 'coordinator'),
                node.id === cluster.self && h(Badge, {kind: 'quiet', title: 'This page comes from this node'},
                    'serves this page'),
                node.drained && h(Badge, {kind: 'warn'}, 'drained'),
                node.cordoned && h(Badge, {kind: 'warn'}, 'cordoned'),
                !node.drained && leaving && h(Badge, {kind: 'warn'}, 'leaving'),
                silent && h(Badge, {kind: 'bad'}, 'did not answer'))),
        div({class: 'meter', role: 'img', 'aria-label': `${shards} shards`},
            span({class: 'meter-fill', style: {width: `${100 * shards / most}%`}})),
        div({class: 'figures'}, figure('shards', shards),
            figure('entities', regions.reduce((sum, region) => sum + region.entities, 0)),
            figure('waiting', regions.reduce((sum, region) => sum + region.buffered, 0))),
        Object.keys(node.unheardMs ?? {}).map((peer) => p({key: peer, class: 'bad-text', 'data-unheard': peer},
            `has heard nothing of ${shortNode(peer)} for ${duration(node.unheardMs[peer])}`)),
        node.startedAt && h(Vitals, {node}),
        regions.length > 0 && dl({class: 'pairs'}, regions.map((region) => [
            dt({key: region.type}, region.type), dd(region.proxy ? 'proxy'
                : `${plural(region.shards, 'shard')}, ${plural(region.entities, 'entity', 'entities')}`)])),
        div({class: 'card-foot'},
            span({class: 'muted'}, [node.roles.length > 0 ? `roles ${node.roles.join(', ')}` : 'no role',
                node.appVersion ? `version ${node.appVersion}` : null,
                node.mayCoordinate ? null : 'never coordinates'].filter(Boolean).join(' · ')),
            h(NodeActions, {node})));
}

// How the node is doing: bars with their figures, so that colour alone says nothing.
export const Vitals = ({node}) => div({class: 'vitals'},
    vital('CPU', node.cpuPercent < 0 ? null : node.cpuPercent, node.cpuPercent < 0 ? 'not known'
        : `${node.cpuPercent} %`),
    vital('Heap', 100 * node.heapUsedMb / node.heapMaxMb, `${number(node.heapUsedMb)} of ${number(node.heapMaxMb)} MB`),
    vital('Event loop', node.loopLagMs, `${number(node.loopLagMs)} ms late`),
    node.leaseLeftMs >= 0 && vital('Lease', null, `${(node.leaseLeftMs / 1000).toFixed(1)} s left`),
    span({class: 'muted'}, `up for ${duration(Math.max(0, nodeNow() - node.startedAt))}`));

const vital = (name, percent, text) => div({class: 'vital', key: name}, span({class: 'muted'}, name),
    percent === null ? span()
        : span({class: 'meter', 'aria-hidden': 'true'}, span({class: `meter-fill ${percent > 85 ? 'warn' : ''}`,
            style: {width: `${Math.max(0, Math.min(100, percent))}%`}})), span({class: 'num'}, text));

const figure = (label, value) => div({class: 'figure', key: label}, span({class: 'num strong'}, number(value)),
    span({class: 'muted'}, label));
