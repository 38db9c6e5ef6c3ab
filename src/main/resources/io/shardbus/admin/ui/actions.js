// What an operator may do. Each action shows its consequences first, and runs once it is confirmed.
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {a, button, dialog, div, form, h2, input, label, li, option, p, select, span, strong, ul} from './el.js';
import {segment, send} from './api.js';
import {state} from './data.js';
import {details} from './health.js';
import {number, plural, shortNode} from './widgets.js';

let show = () => {};
let tell = () => {};

// action: {title, says: [sentences], word: what must be typed, if anything, text: {label, value} that is asked for,
// choices: [[value, text]] with choiceLabel, verb, danger, run(choice, text) → sentence}
export const ask = (action) => show(action);

export function ActionDialog() {
    const [action, setAction] = useState(null);
    const [typed, setTyped] = useState('');
    const [choice, setChoice] = useState('');
    const [text, setText] = useState('');
    const [progress, setProgress] = useState(null);
    const box = useRef();
    // The dialog may be closed while its action runs: what comes of that action is then not the next dialog's.
    const shown = useRef(null);
    show = (next) => {
        shown.current = next;
        setTyped('');
        setChoice(next.choices?.[0][0] ?? '');
        setText(next.text?.value ?? '');
        setProgress(null);
        setAction(next);
    };
    useEffect(() => {
        if (action && !box.current.open) {
            box.current.showModal();
        }
    }, [action]);
    if (!action) {
        return null;
    }
    const closed = () => {
        shown.current = null;
        setAction(null);
    };
    const close = () => {
        box.current.close();
        closed();
    };
    const ready = progress === null && (!action.word || typed.trim() === action.word)
        && (!action.text || text.trim() !== '');
    async function confirm(event) {
        event.preventDefault();
        if (!ready) {
            return;
        }
        setProgress({text: 'Under way …'});
        try {
            tell({kind: 'ok', text: await action.run(choice, text.trim())});
            shown.current === action && close();
        } catch (failure) {
            const reason = failure.status === 403 ? `Not allowed: ${failure.message}` : failure.message;
            if (shown.current === action) {
                setProgress({failed: true, text: reason});
            } else {
                tell({kind: 'bad', text: `${action.title}: ${reason}`});
            }
        }
    }
    return dialog({ref: box, 'aria-labelledby': 'dialog-title', onClose: closed},
        form({onSubmit: confirm},
            h2({id: 'dialog-title'}, action.title),
            ul({class: 'says'}, action.says.map((one) => li({key: one}, one))),
            action.word && div({class: 'word'}, label({for: 'word'}, 'Type ', strong(action.word), ' to confirm'),
                input({id: 'word', value: typed, autocomplete: 'off', spellcheck: false, autofocus: true,
                    onInput: (event) => setTyped(event.target.value)})),
            action.text && div({class: 'word'}, label({for: 'text'}, action.text.label),
                input({id: 'text', value: text, autocomplete: 'off', spellcheck: false, autofocus: true,
                    onInput: (event) => setText(event.target.value)})),
            action.choices && div({class: 'word'}, label({for: 'choice'}, action.choiceLabel ?? 'To'),
                select({id: 'choice', value: choice, onChange: (event) => setChoice(event.target.value)},
                    action.choices.map(([value, text]) => option({key: value, value}, text)))),
            progress && p({role: 'status', class: progress.failed ? 'bad-text' : 'muted'}, progress.text),
            div({class: 'dialog-foot'}, button({type: 'button', onClick: close}, progress?.failed ? 'Close' : 'Cancel'),
                button({type: 'submit', class: action.danger ? 'danger' : 'primary', disabled: !ready,
                    autofocus: !action.word && !action.text}, action.verb))));
}

// What was done, said once, for a few seconds.
export function Notice() {
    const [notice, setNotice] = useState(null);
    tell = setNotice;
    useEffect(() => {
        const timer = notice && setTimeout(() => setNotice(null), 8000);
        return () => clearTimeout(timer);
    }, [notice]);
    return div({role: 'status', 'aria-live': 'polite', class: 'notices'},
        notice && span({class: `notice ${notice.kind}`}, notice.text));
}

function figures(node) {
    const regions = details(state).flatMap((detail) => detail.regions.filter((region) => region.node === node.id));
    const sum = (key) => regions.reduce((total, region) => total + region[key], 0);
    return {shards: sum('shards'), entities: sum('entities')};
}

export function drain(node) {
    const {shards, entities} = figures(node);
    ask({title: `Drain ${shortNode(node.id)}`, verb: 'Drain', danger: true, word: shortNode(node.id),
        says: [`${plural(shards, 'shard')} and ${plural(entities, 'entity', 'entities')} move to other nodes.`,
            'No message is lost; those for a moving shard wait until it has its new home.',
            'The node gets no shards until its drain is ended.'],
        run: async () => {
            const answer = await send('POST', `api/v1/nodes/${segment(node.id)}/drain`);
            const moving = `${plural(answer.handoffs, 'shard')} ${answer.handoffs === 1 ? 'moves' : 'move'}`;
            return `${shortNode(node.id)} is drained: ${moving}`;
        }});
}

export function undrain(node) {
    ask({title: `End the drain of ${shortNode(node.id)}`, verb: 'End the drain',
        says: ['The node gets shards again with the next rebalance.'],
        run: async () => {
            const {changed} = await send('DELETE', `api/v1/nodes/${segment(node.id)}/drain`);
            return changed === false ? `nothing changed: ${shortNode(node.id)} is not drained`
                : `${shortNode(node.id)} gets shards again`;
        }});
}

export function rebalance(type) {
    ask({title: `Rebalance ${type}`, verb: 'Rebalance',
        says: ['One round of the allocation strategy begins now instead of at its next time.',
            'It moves at most as many shards as its limits allow.'],
        run: async () => {
            const answer = await send('POST', `api/v1/types/${segment(type)}/rebalance`);
            return answer.handoffs === 0 ? `${type}: nothing to move`
                : `${type}: ${plural(answer.handoffs, 'handoff')} begun`;
        }});
}

export function cordon(node, wanted) {
    ask({title: `${wanted ? 'Cordon' : 'Uncordon'} ${shortNode(node.id)}`, verb: wanted ? 'Cordon' : 'Uncordon',
        says: wanted ? ['The node gets no more shards, and keeps those that it has.']
            : ['The node may get shards again.'],
        run: async () => {
            const {changed} = await send(wanted ? 'PUT' : 'DELETE', `api/v1/nodes/${segment(node.id)}/cordon`);
            return changed === false ? `nothing changed: ${shortNode(node.id)} is not cordoned`
                : `${shortNode(node.id)} ${wanted ? 'gets no more shards' : 'may get shards again'}`;
        }});
}

const resource = (type, shard) => `api/v1/types/${segment(type)}/shards/${shard}`;

// nodes: where it may go; the first choice is any other node
export function moveShard(type, shard, nodes) {
    ask({title: `Move shard ${shard} of ${type}`, verb: 'Move',
        says: ['Its messages wait until it has its new home; none is lost.', 'Its entities end, and start there anew.'],
        choices: [['', 'any other node'], ...nodes.map((id) => [id, shortNode(id)])],
        run: async (to) => {
            await send('POST', `${resource(type, shard)}/move`, to === '' ? {} : {to});
            return `shard ${shard} moves`;
        }});
}

export function pinShard(type, shard, node) {
    ask({title: `Pin shard ${shard} of ${type}`, verb: 'Pin',
        says: [`It stays on ${shortNode(node)}: no rebalance moves it until it is unpinned.`],
        run: async () => {
            await send('PUT', `${resource(type, shard)}/pin`, {node});
            return `shard ${shard} is pinned to ${shortNode(node)}`;
        }});
}

export function unpinShard(type, shard) {
    ask({title: `Unpin shard ${shard} of ${type}`, verb: 'Unpin', says: ['Its strategy may move it again.'],
        run: async () => {
            await send('DELETE', `${resource(type, shard)}/pin`);
            return `shard ${shard} is not pinned any more`;
        }});
}

export function setRebalancing(type, enabled) {
    ask({title: `${enabled ? 'Resume' : 'Stop'} rebalancing ${type}`, verb: enabled ? 'Resume' : 'Stop',
        says: [enabled ? 'Rounds of the allocation strategy move shards again.'
            : 'No round moves shards until it is resumed. Drains, leaves and crashes still do.'],
        run: async () => {
            await send('PUT', `api/v1/types/${segment(type)}/rebalancing`, {enabled});
            return `${type} is ${enabled ? 'rebalanced again' : 'not rebalanced any more'}`;
        }});
}

export function setAllRebalancing(enabled) {
    ask({title: `${enabled ? 'Resume' : 'Stop'} rebalancing all types`, verb: enabled ? 'Resume' : 'Stop',
        says: [enabled ? 'Rounds of the allocation strategies move shards again, of all types.'
            : 'No round moves shards of any type until it is resumed. Drains, leaves and crashes still do.'],
        run: async () => {
            await send('PUT', 'api/v1/rebalancing', {enabled});
            return enabled ? 'all types are rebalanced again' : 'no type is rebalanced any more';
        }});
}

export function announceShutdown(wanted) {
    ask(wanted ? {title: 'Prepare the whole cluster for its shutdown', verb: 'Prepare', danger: true, word: 'shutdown',
        says: ['No shard moves any more, also not when its node leaves, so that all nodes can stop at the same time.',
            'No node is stopped by this: each serves until you stop it. It can be cancelled.'],
        run: async () => {
            await send('POST', 'api/v1/prepare-for-shutdown');
            return 'the cluster is prepared for its shutdown: stop its nodes now';
        }} : {title: 'Cancel the shutdown of the cluster', verb: 'Let shards move again',
        says: ['Shards move again when nodes leave, and in rebalances.'],
        run: async () => {
            await send('DELETE', 'api/v1/prepare-for-shutdown');
            return 'the shutdown is cancelled: shards may move again';
        }});
}

// Of the process that serves this page.
export function setLogLevel(node) {
    ask({title: `Set a log level on ${shortNode(node.id)}`, verb: 'Set',
        says: ['It holds for 10 minutes, then the logger has its usual level again.',
            'It concerns this process alone, and loggers of Shardbus.'],
        text: {label: 'Logger: a class or a package', value: 'io.shardbus'}, choiceLabel: 'Level',
        choices: ['debug', 'trace', 'info', 'warn', 'error', 'off'].map((level) => [level, level]),
        run: async (level, logger) => {
            await send('PUT', `api/v1/log-levels/${segment(logger)}`, {level, minutes: 10});
            return `${logger} logs at ${level} for 10 minutes`;
        }});
}

// What concerns the whole cluster.
export const ClusterActions = () => div({class: 'actions'},
    button({type: 'button', 'data-action': 'pause-all', onClick: () => setAllRebalancing(false)},
        'Stop rebalancing all types'),
    button({type: 'button', 'data-action': 'resume-all', onClick: () => setAllRebalancing(true)}, 'Resume all'),
    button({type: 'button', 'data-action': 'shutdown', onClick: () => announceShutdown(true)},
        'Prepare for shutdown'),
    button({type: 'button', 'data-action': 'cancel-shutdown', onClick: () => announceShutdown(false)},
        'Cancel shutdown'),
    a({class: 'button', href: '../api/v1/snapshot', download: 'shardbus-snapshot.json', 'data-action': 'snapshot'},
        'Snapshot for a bug report'));

const projection = (name) => `api/v1/projections/${segment(name)}`;

export function pauseProjection(name, wanted) {
    ask({title: `${wanted ? 'Pause' : 'Resume'} ${name}`, verb: wanted ? 'Pause' : 'Resume',
        says: wanted ? ['Its workers on all nodes handle no further events. Those under way end.',
            'It stays paused until it is resumed, also when nodes stop and start.']
            : ['Its workers go on with the first event that is not handled.'],
        run: async () => {
            await send(wanted ? 'PUT' : 'DELETE', `${projection(name)}/pause`);
            return `${name} ${wanted ? 'is paused' : 'goes on'}`;
        }});
}

export function resetProjection({name, parked}) {
    ask({title: `Reset ${name}`, verb: 'Reset', danger: true, word: name,
        says: ['When it is resumed it handles all events again that are kept. Empty its view between reset and resume.',
            `${plural(parked, 'parked event')} ${parked === 1 ? 'is' : 'are'} forgotten, and handled again.`],
        run: async () => {
            await send('POST', `${projection(name)}/reset`);
            return `${name} begins anew when it is resumed`;
        }});
}

export const NodeActions = ({node}) => div({class: 'actions'}, node.drained
    ? button({type: 'button', 'data-action': 'undrain', 'aria-label': `End the drain of ${shortNode(node.id)}`,
        onClick: () => undrain(node)}, 'End drain')
    : button({type: 'button', 'data-action': 'drain', 'aria-label': `Drain ${shortNode(node.id)}`,
        onClick: () => drain(node)}, 'Drain'),
node.cordoned
    ? button({type: 'button', 'data-action': 'uncordon', 'aria-label': `Uncordon ${shortNode(node.id)}`,
        onClick: () => cordon(node, false)}, 'Uncordon')
    : button({type: 'button', 'data-action': 'cordon', 'aria-label': `Cordon ${shortNode(node.id)}`,
        onClick: () => cordon(node, true)}, 'Cordon'));
