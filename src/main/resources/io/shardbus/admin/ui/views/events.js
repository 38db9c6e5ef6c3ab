import {h} from 'preact';
import {button, div, input, label, li, span, ul} from '../el.js';
import {set} from '../route.js';
import {colour, distinct, key, sentence, useEvents} from '../events.js';
import {Badge, Choice, Clock, Empty, NodeLink, Panel, number} from '../widgets.js';

const MOST_SHOWN = 300;
const GROUPS = [['', 'All'], ['node', 'Nodes'], ['shard', 'Moves'], ['term', 'Terms'], ['split', 'Losses and splits'],
    ['action', 'Actions'], ['note', 'Notes']];

// A loss may turn out to be a split, or a crash.
const isOf = (event, kind) => !kind || event.kind.startsWith(kind)
    || kind === 'split' && event.kind.startsWith('loss');

export function Events({params}) {
    const log = useEvents();
    const wanted = (params.q ?? '').toLowerCase();
    const text = (event) => `${event.kind} ${sentence(event)} ${event.subject} ${event.node}`.toLowerCase();
    const events = distinct(log.events).filter((event) => isOf(event, params.kind)
        && (!wanted || text(event).includes(wanted)));
    const shown = events.slice(0, MOST_SHOWN);
    return [
        div({class: 'bar'},
            h(Choice, {label: 'Kind', value: params.kind ?? '', options: GROUPS, onChange: (kind) => set({kind})}),
            label({for: 'event-search', class: 'spoken'}, 'Search'),
            input({id: 'event-search', type: 'search', placeholder: 'Search', value: params.q ?? '',
                onInput: (event) => set({q: event.target.value})}),
            button({type: 'button', onClick: () => copy(events)}, 'Copy as JSON')),
        h(Panel, {title: 'Events', hint: log.missed > 0
            ? `${number(events.length)}, and ${number(log.missed)} that were too old to be kept`
            : `${number(events.length)}, newest first; each node keeps its last 2,000`},
        shown.length === 0 ? h(Empty, {title: log.events.length === 0 ? 'Nothing has happened yet'
            : 'No event is like that'})
            : ul({class: 'log events', 'data-events': events.length}, shown.map((event) => li({key: key(event),
                'data-kind': event.kind, class: Number(params.at) === event.at ? 'selected' : ''},
            h(Clock, {at: event.at}), h(Badge, {kind: colour(event)}, event.kind.replaceAll('-', ' ')),
            span({class: 'said'}, sentence(event)), span({class: 'by'}, h(NodeLink, {id: event.node}))))),
        events.length > MOST_SHOWN && span({class: 'hint'}, `The newest ${MOST_SHOWN} are shown: search for others.`))];
}

// The clipboard is there only on a secure origin: elsewhere the browser offers a file.
function copy(events) {
    const text = JSON.stringify(events, null, 2);
    if (navigator.clipboard) {
        navigator.clipboard.writeText(text);
        return;
    }
    const address = URL.createObjectURL(new Blob([text], {type: 'application/json'}));
    const link = Object.assign(document.createElement('a'), {href: address, download: 'shardbus-events.json'});
    link.click();
    URL.revokeObjectURL(address);
}
