import {h} from 'preact';
import {useEffect} from 'preact/hooks';
import {button, div, input, label, li, p, span, ul} from '../el.js';
import {href, set} from '../route.js';
import {colour, distinct, key, sentence, useEvents} from '../events.js';
import {Badge, Choice, Empty, EventsLost, Moment, NodeLink, Panel, number, plural, shortNode} from '../widgets.js';

const MOST_SHOWN = 300;
const GROUPS = [['', 'All'], ['node', 'Nodes'], ['shard', 'Shards'], ['term', 'Terms'], ['split', 'Losses and splits'],
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
    const at = params.at === undefined ? null : Number(params.at);
    const shown = around(events, at);
    const found = at !== null && shown.some((event) => event.at === at);
    useEffect(() => {
        found && document.querySelector('.events .selected')?.scrollIntoView({block: 'nearest'});
    }, [at, found]);
    return [
        div({class: 'bar'},
            h(Choice, {label: 'Kind', value: params.kind ?? '', options: GROUPS, onChange: (kind) => set({kind})}),
            label({for: 'event-search', class: 'spoken'}, 'Search'),
            input({id: 'event-search', type: 'search', placeholder: 'Search', value: params.q ?? '',
                onInput: (event) => set({q: event.target.value})}),
            button({type: 'button', onClick: () => copy(events)}, 'Copy as JSON')),
        h(EventsLost, {log}),
        log.silent.length > 0 && p({class: 'banner', role: 'status', 'data-events-silent': log.silent.length},
            `The events of ${plural(log.silent.length, 'node')} are missing until an answer comes: ${
                log.silent.map(shortNode).join(', ')}`),
        h(Panel, {title: 'Events', hint: log.missed > 0
            ? `${number(events.length)}, and ${number(log.missed)} that were too old to be kept`
            : `${number(events.length)}, newest first; each node keeps its last 2,000 of shards and 2,000 others`},
        shown.length === 0 ? h(Empty, {title: log.events.length === 0 ? 'Nothing has happened yet'
            : 'No event is like that'})
            : ul({class: 'log events', 'data-events': events.length}, shown.map((event) => li({key: key(event),
                'data-kind': event.kind, class: event.at === at ? 'selected' : ''},
            h(Moment, {at: event.at, href: href({at: event.at === at ? null : event.at})}),
            h(Badge, {kind: colour(event)}, event.kind.replaceAll('-', ' ')),
            span({class: 'said'}, sentence(event)), span({class: 'by'}, h(NodeLink, {id: event.node}))))),
        events.length > MOST_SHOWN && span({class: 'hint'}, shown[0] === events[0]
            ? `The newest ${MOST_SHOWN} are shown: search for others.`
            : `${MOST_SHOWN} around a moment are shown.`))];
}

// The newest events, or those before and after a moment that is too old for that.
function around(events, at) {
    const place = at === null ? 0 : events.findIndex((event) => event.at <= at);
    const last = events.length - MOST_SHOWN;
    const first = place < MOST_SHOWN ? 0 : Math.max(0, Math.min(last, place - MOST_SHOWN / 2));
    return events.slice(first, first + MOST_SHOWN);
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
