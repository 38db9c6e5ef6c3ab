import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {a, button, code, dd, div, dl, dt, form, input, label, option, p, select} from '../el.js';
import {ActionButton, ask} from '../dialog.js';
import {Late, unanswered, useAnswer} from '../answers.js';
import {get, getText, segment, send} from '../api.js';
import {href, set} from '../route.js';
import {Badge, DataTable, Empty, NodeLink, Panel, ShardLink, TypePicker, duration, number, shortNode}
    from '../widgets.js';
import {chosen} from './shards.js';

const PAGE = 100;
const PERIOD_MS = 2000;
const resource = (type, id) => `api/v1/types/${segment(type)}/entities/${segment(id)}`;

export function Entities({state, params}) {
    const detail = chosen(state, params);
    const [typed, setTyped] = useState(params.id ?? '');
    const id = params.id;
    const type = detail?.type;
    useEffect(() => setTyped(id ?? ''), [id]);
    const asked = useAnswer(id && type ? resource(type, id) : null, PERIOD_MS);
    const found = asked.answer;
    if (!detail) {
        return h(Empty, {title: 'This node has started no type'});
    }
    return [
        h(Panel, {title: 'Find an entity'},
            form({class: 'find', role: 'search', onSubmit: (event) => {
                event.preventDefault();
                set({id: typed, type});
            }},
            h(TypePicker, {types: state.snapshot.types, value: type}),
            label({for: 'find'}, 'Id'),
            input({id: 'find', value: typed, autocomplete: 'off', spellcheck: false, placeholder: 'for example 42',
                onInput: (event) => setTyped(event.target.value)}),
            button({type: 'submit', class: 'primary'}, 'Find')),
            !id ? h(Empty, {title: 'Type an id'}, 'The page says where the entity is and what it does.')
                : h(Found, {asked, id, type})),
        id && found && h(Actions, {found, changed: asked.again,
            persistent: Boolean(state.snapshot.types.find((one) => one.name === type)?.persistent)}),
        id && found?.instance?.inspectable && h(State, {key: `${type}/${id}`, type, id}),
        !id && h(List, {key: type, detail, nodes: state.snapshot.cluster.nodes, prefix: params.prefix ?? '',
            node: params.node ?? '', shard: params.shard ?? ''})];
}

function Found({asked, id, type}) {
    const found = asked.answer;
    if (found === null) {
        return unanswered(asked, undefined, 'its home');
    }
    return [h(Late, {of: asked, whom: 'its home'}), dl({class: 'pairs found', 'data-entity': id},
        dt('Id'), dd(code(id)), dt('Type'), dd(type),
        dt('State'), dd(found.live ? h(Badge, {kind: 'ok'}, 'live') : h(Badge, {kind: 'quiet'}, 'not live')),
        dt('Node'), dd(h(NodeLink, {id: found.node})),
        dt('Shard'), dd(found.shard === null ? 'without a home' : h(ShardLink, {type, shard: found.shard})),
        found.token && [dt('Fencing token'),
            dd(code(`term ${found.token.term}, number ${found.token.sequence}`))],
        found.remembered && [dt('Remembered'), dd('starts without a message')],
        found.instance && h(Instance, {instance: found.instance}))];
}

const Instance = ({instance}) => [
    dt('Phase'), dd({'data-phase': instance.phase}, h(Badge, {kind: instance.phase === 'paused' ? 'bad' : 'quiet'},
        instance.phase), instance.message && [' at ', code(instance.message), ` for ${duration(instance.busyMs)}`]),
    dt('Live for'), dd(`${duration(instance.liveMs)}, started by: ${instance.startReason}`),
    instance.incarnation && [dt('Incarnation'), dd(code(instance.incarnation))],
    dt('Mailbox'), dd(instance.waiting === 0 ? 'empty'
        : `${number(instance.waiting)} wait, the next for ${duration(instance.oldestWaitMs)}`,
    instance.stashed > 0 && `, ${number(instance.stashed)} stashed`),
    dt('Timers'), dd(number(instance.timers)),
    dt('Restarts'), dd(number(instance.restarts)),
    instance.lastFailure && [dt('Last failure'),
        dd(code([instance.lastFailure.kind, instance.lastFailure.text].filter(Boolean).join(': ')),
            ` ${duration(instance.lastFailure.agoMs)} ago`)]];

const TREATMENTS = {
    passivate: {verb: 'Passivate', says: ['Its waiting messages are handled, then its instance ends.',
        'The next message starts another one.'], done: 'is passivated'},
    restart: {verb: 'Restart', says: ['Its instance ends once the message in hand is handled, by force in the end.',
        'Another one starts and gets the waiting messages; state that is only in memory is lost.'], done: 'restarts'},
    forget: {verb: 'Forget', danger: true, says: ['Its waiting messages fail, and its instance ends.',
        'It is no longer remembered: only a message starts it again.'], done: 'is forgotten'},
    erase: {verb: 'Erase', danger: true, says: ['Its stored events and state are deleted, and its instance ends.',
        'The next message starts it with the empty state. This cannot be undone.'], done: 'is erased'}};

function treat(found, action, changed) {
    const {verb, says, danger, done} = TREATMENTS[action];
    ask({title: `${verb} ${found.type}/${found.id}`, verb, says, danger, word: danger && found.id,
        run: async () => {
            await send('POST', `${resource(found.type, found.id)}/${action}`);
            changed();
            return `${found.type}/${found.id} ${done}`;
        }});
}

// What is stored can be erased without an instance; all else is done to an instance.
const applies = (action, found, persistent) => action === 'erase' ? persistent
    : Boolean(found.instance) && (action !== 'forget' || found.remembered);

function Actions({found, persistent, changed}) {
    const actions = Object.keys(TREATMENTS).filter((action) => applies(action, found, persistent));
    return actions.length > 0 && h(Panel, {title: 'Treat it'}, div({class: 'actions'}, actions.map((action) =>
        h(ActionButton, {key: action, name: action, onClick: () => treat(found, action, changed)},
            TREATMENTS[action].verb))));
}

// Read when it is asked for: each look is recorded with the user's name.
function State({type, id}) {
    const [shown, setShown] = useState(null);
    const look = () => getText(`${resource(type, id)}/state`).then((answer) => setShown(stateOf(answer)), setShown);
    return h(Panel, {title: 'State'},
        div({class: 'actions'}, button({type: 'button', 'data-action': 'inspect', onClick: look},
            shown === null ? 'Show the state' : 'Look again')),
        shown instanceof Error ? p(h(Badge, {kind: 'bad'}, shown.message))
            : shown && h('pre', {class: 'state', tabIndex: 0, 'aria-label': 'State', 'data-state': id},
                shown));
}

// The last member of the answer, indented, its texts and numbers as they are: a parsed number has 53 bits.
function stateOf(answer) {
    let depth = 0;
    const line = () => `\n${'  '.repeat(depth)}`;
    return answer.slice(answer.indexOf('"state":') + '"state":'.length, -1)
        .replace(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g, (part) => {
            switch (part) {
                case '{': case '[':
                    depth++;
                    return part + line();
                case '}': case ']':
                    depth--;
                    return line() + part;
                case ',':
                    return part + line();
                case ':':
                    return ': ';
                default:
                    return part;
            }
        });
}

// A page of ids at a time, never all.
function List({detail, nodes, prefix, node, shard}) {
    const {type} = detail;
    const [rows, setRows] = useState([]);
    const [after, setAfter] = useState(null);
    const [failed, setFailed] = useState(null);
    const asked = useRef(0);
    // Answers may overtake each other: the last question counts.
    const read = (from, before) => {
        const question = ++asked.current;
        const isLast = () => question === asked.current;
        return get(`api/v1/types/${segment(type)}/entities?limit=${PAGE}`
            + `&prefix=${segment(prefix)}&after=${segment(from)}${node && `&node=${segment(node)}`}${
                shard && `&shard=${segment(shard)}`}`)
            .then((page) => {
                if (isLast()) {
                    setRows([...before, ...page.entities]);
                    setAfter(page.after);
                    setFailed(null);
                }
            }, (failure) => isLast() && setFailed(failure));
    };
    useEffect(() => {
        read('', []);
    }, [type, prefix, node, shard]);
    return h(Panel, {title: 'Live entities', hint: `${number(rows.length)} shown`},
        form({class: 'find', onSubmit: (event) => event.preventDefault()}, label({for: 'prefix'}, 'Begins with'),
            input({id: 'prefix', value: prefix, autocomplete: 'off', spellcheck: false,
                onChange: (event) => set({prefix: event.target.value})}),
            label({for: 'on-node'}, 'Node'), select({id: 'on-node', value: node,
                onChange: (event) => set({node: event.target.value})}, option({value: ''}, 'any'),
            nodes.map((one) => option({key: one.id, value: one.id}, shortNode(one.id)))),
            label({for: 'of-shard'}, 'Shard'), input({id: 'of-shard', type: 'number', min: 0,
                max: detail.numberOfShards - 1, value: shard, placeholder: 'any',
                onChange: (event) => event.target.checkValidity() && set({shard: event.target.value})})),
        failed && p(h(Badge, {kind: 'bad'}, failed.message)),
        rows.length === 0 ? h(Empty, {title: 'None found'}, 'Entities without an instance are not listed.')
            : h(DataTable, {label: 'Live entities', rows, rowKey: (row) => row.id,
                rowProps: (row) => ({'data-row': row.id}), initial: {key: 'shard', down: false}, columns: [
                    {key: 'id', title: 'Id', value: (row) => row.id,
                        cell: (row) => a({href: href({id: row.id, type})}, row.id)},
                    {key: 'shard', title: 'Shard', num: true, value: (row) => row.shard,
                        cell: (row) => h(ShardLink, {type, shard: row.shard})},
                    {key: 'node', title: 'Node', value: (row) => row.node,
                        cell: (row) => h(NodeLink, {id: row.node})}]}),
        after !== null && div({class: 'actions'}, button({type: 'button', 'data-action': 'more',
            onClick: () => read(after, rows)}, 'More')));
}
