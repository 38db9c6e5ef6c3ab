import {h} from 'preact';
import {a, dd, div, dl, dt, form, input, label, li, p, span, ul} from '../el.js';
import {Late, unanswered, useAnswer} from '../answers.js';
import {segment} from '../api.js';
import {key, sentence} from '../events.js';
import {set, viewHref} from '../route.js';
import {Badge, DataTable, Empty, Moment, NodeLink, Panel, TypePicker, duration, number, plural}
    from '../widgets.js';
import {chosen} from './shards.js';

const PERIOD_MS = 5000;
const COORDINATOR = 'the coordinator';

// Why a shard is where it is: what its strategy compared, the reasons against each node, and its last homes.
export function Why({state, params}) {
    const detail = chosen(state, params);
    const shard = params.shard ?? '';
    const valid = detail && shard !== '' && Number(shard) < detail.numberOfShards;
    const asked = useAnswer(valid ? `api/v1/types/${segment(detail.type)}/shards/${segment(shard)}/why` : null,
        PERIOD_MS);
    if (!detail) {
        return h(Empty, {title: 'This node has started no type'});
    }
    return [
        div({class: 'bar'}, h(TypePicker, {types: state.snapshot.types, value: detail.type}),
            form({class: 'find', onSubmit: (event) => event.preventDefault()}, label({for: 'shard'}, 'Shard'), input({
                id: 'shard', type: 'number', min: 0, max: detail.numberOfShards - 1, value: shard,
                onInput: (event) => set({shard: event.target.value})}))),
        !valid ? [h(Panel, {}, h(Empty, {title: 'Type the number of a shard'}, `0 to ${detail.numberOfShards - 1}`)),
            h(Round, {key: detail.type, type: detail.type})]
            : unanswered(asked, undefined, COORDINATOR)
                ?? [h(Late, {of: asked, whom: COORDINATOR}), h(Reasons, {why: asked.answer})]];
}

// Of the whole type: what a round of rebalancing would move now, and why not more. Asked for once, as a plan costs the
// coordinator time.
function Round({type}) {
    const asked = useAnswer(`api/v1/types/${segment(type)}/plan?action=rebalance`);
    const {answer} = asked;
    const title = 'A round of rebalancing now';
    if (answer === null) {
        return unanswered(asked, title, COORDINATOR);
    }
    return h(Panel, {title, 'data-round': answer.moves.length,
        actions: a({href: viewHref('plan', {type, action: 'rebalance'})}, 'Plan')},
    p(answer.moves.length === 0 ? 'It would move no shard.' : `It would move ${plural(answer.moves.length, 'shard')}.`),
    answer.reasons.length > 0 && ul({class: 'says'}, answer.reasons.map((reason) => li({key: reason}, reason))));
}

const Reasons = ({why}) => [
    h(Panel, {title: `Shard ${why.shard}`, 'data-why': why.shard, hint: why.allocation},
        dl({class: 'pairs wide'}, dt('Home'), dd(why.home ? h(NodeLink, {id: why.home}) : 'none yet'),
            why.pinned && [dt('Pinned to'), dd(h(NodeLink, {id: why.pinned}))],
            why.preferred && [dt('Would be placed on'), dd(h(NodeLink, {id: why.preferred}))],
            why.restsMs > 0 && [dt('Rests for'), dd(duration(why.restsMs))]),
        why.reasons.map((reason) => p({key: reason}, reason))),
    h(Panel, {title: 'Nodes to choose from'}, h(DataTable, {label: 'Nodes to choose from', rows: why.candidates,
        rowKey: (row) => row.node, initial: {key: 'shards', down: false}, columns: [
            {key: 'node', title: 'Node', value: (row) => row.node, cell: (row) => h(NodeLink, {id: row.node})},
            {key: 'shards', title: 'Shards', num: true, value: (row) => row.shards, cell: (row) => number(row.shards)},
            {key: 'version', title: 'Version', value: (row) => row.appVersion, cell: (row) => row.appVersion},
            {key: 'against', title: 'Against it', value: (row) => row.against.join(),
                cell: (row) => row.against.length > 0
                ? row.against.join('; ') : h(Badge, {kind: 'ok'}, 'nothing')}]})),
    h(Panel, {title: 'Last homes'}, why.history.length === 0
        ? h(Empty, {title: 'No move is remembered'}, 'Each coordinator keeps its last 2,000 events of shards in memory.')
        : ul({class: 'log'}, [...why.history].reverse().map((event) => li({key: key(event)}, h(Moment, {at: event.at}),
            h(Badge, {kind: 'quiet'}, event.details.cause ?? event.kind), span(sentence(event))))))];
