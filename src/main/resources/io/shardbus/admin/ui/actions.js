// What an operator may do. Each action shows its consequences first, and runs once it is confirmed.
import {h} from 'preact';
import {a, div} from './el.js';
import {segment, send} from './api.js';
import {state} from './data.js';
import {ActionButton, ask} from './dialog.js';
import {details} from './health.js';
import {number, plural, shortNode} from './widgets.js';

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

// entities: how many are live, null where the home did not say; nodes: where it may go, any other node first
export function moveShard(type, shard, entities, nodes) {
    ask({title: `Move shard ${shard} of ${type}`, verb: 'Move',
        says: ['Its messages wait until it has its new home; none is lost.',
            `${entities == null ? 'Its entities end' : entities === 1 ? 'Its live entity ends'
                : `Its ${number(entities)} live entities end`}, and start there anew.`],
        choices: [['', 'any other node'], ...nodes.map((id) => [id, shortNode(id)])],
        run: async ({choice}) => {
            await send('POST', `${resource(type, shard)}/move`, choice === '' ? {} : {to: choice});
            return `shard ${shard} moves`;
        }});
}

// Shards that one request may move.
export const MOST_MOVES = 100;

// moved: told which shards move
export function moveShards(type, shards, entities, nodes, moved) {
    ask({title: `Move ${plural(shards.length, 'shard')} of ${type}`, verb: 'Move',
        says: ['Their messages wait until they have their new homes; none is lost.',
            entities === 1 ? '1 entity ends, and starts there anew.'
                : `${entities} entities end, and start there anew.`,
            'They move in their turn. One that cannot move stays, and keeps no other one back.'],
        choices: [['', 'any other node'], ...nodes.map((id) => [id, shortNode(id)])],
        run: async ({choice}) => {
            const {moving, refused} = await send('POST', `api/v1/types/${segment(type)}/move`,
                choice === '' ? {shards} : {shards, to: choice});
            moved(moving);
            const text = `${plural(moving.length, 'shard')} of ${type} ${moving.length === 1 ? 'moves' : 'move'}`;
            if (refused.length > 0) {
                throw new Error([text, ...refused.map(({shard, outcome, message}) =>
                    `shard ${shard} ${outcome === 'unknown' ? 'may still move' : 'stays'}: ${message}`)]
                    .join('; '));
            }
            return text;
        }});
}

// home: where the shard is; nodes: the others to which it can be pinned
export function pinShard(type, shard, home, nodes) {
    ask({title: `Pin shard ${shard} of ${type}`, verb: 'Pin',
        says: ({choice}) => [choice === home ? `It stays on ${shortNode(home)}.`
            : `It moves to ${shortNode(choice)} and stays there: its messages wait meanwhile, its entities start anew.`,
        'No rebalance moves it until it is unpinned.'],
        choices: [[home, `${shortNode(home)}, where it is`], ...nodes.map((id) => [id, shortNode(id)])],
        run: async ({choice}) => {
            await send('PUT', `${resource(type, shard)}/pin`, {node: choice});
            return `shard ${shard} is pinned to ${shortNode(choice)}`;
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
        says: ['No shard is moved any more: a node that leaves ends its entities at once, so that all can stop'
            + ' together.',
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

// home: where the shard is, if it has one; nodes: where it can be
export function setDesiredHome(type, shard, home, nodes) {
    ask({title: `Desired home of shard ${shard} of ${type}`, verb: 'Set',
        says: ({choice}) => [!home ? `It gets its home on ${shortNode(choice)} with its first message.`
            : choice === home ? `It stays on ${shortNode(home)}.`
                : `It moves to ${shortNode(choice)}: its messages wait meanwhile, its entities start anew.`,
        'The program that sets the homes of this type may set another one at any time.'],
        choices: nodes.map((id) => [id, id === home ? `${shortNode(id)}, where it is` : shortNode(id)]),
        run: async ({choice}) => {
            await send('PUT', `${resource(type, shard)}/desired-home`, {node: choice});
            return `the desired home of shard ${shard} is ${shortNode(choice)}`;
        }});
}

export function clearDesiredHome(type, shard) {
    ask({title: `Clear the desired home of shard ${shard} of ${type}`, verb: 'Clear',
        says: ['The shard stays where it is until its node is gone.',
            'After that it gets its home on the node that asks for it first.'],
        run: async () => {
            await send('DELETE', `${resource(type, shard)}/desired-home`);
            return `shard ${shard} has no desired home any more`;
        }});
}

export function clearDesiredHomes(type) {
    ask({title: `Clear all desired homes of ${type}`, verb: 'Clear', danger: true, word: type,
        says: ['All shards stay where they are until their nodes are gone.',
            'After that each gets its home on the node that asks for it first. This cannot be undone here.'],
        run: async () => {
            await send('DELETE', `api/v1/types/${segment(type)}/desired-homes`);
            return `${type} has no desired homes any more`;
        }});
}

const MOST_ENTITIES = 10_000_000;

const passivation = (type) => `api/v1/types/${segment(type)}/passivation`;

const passivated = (self, limit, live) => limit < live
    ? `About ${number(live - limit)} of ${plural(live, 'live entity', 'live entities')} on ${self}`
        + ` ${live - limit === 1 ? 'is' : 'are'} passivated at once, each when its waiting messages are handled.`
    : `None of the ${plural(live, 'live entity', 'live entities')} on ${self} is passivated for it now.`;

// policy: how the type passivates on this node, self; live: its entities there
export function limitEntities(policy, self, live) {
    ask({title: `Limit the active entities of ${policy.type} on ${self}`, verb: 'Set the limit', danger: true,
        says: ({count}) => [passivated(self, count, live),
            `It concerns ${self} alone, and holds until its region of ${policy.type} ends.`],
        count: {label: 'Entities', value: policy.activeEntityLimit, min: 1, max: MOST_ENTITIES},
        run: async ({count}) => {
            await send('POST', passivation(policy.type), {limit: count});
            return `at most ${plural(count, 'entity', 'entities')} of ${policy.type} are active on ${self}`;
        }});
}

export function resetEntityLimit(policy, self, live) {
    const limit = policy.configuredLimit;
    ask({title: `Reset the limit of ${policy.type} on ${self}`, verb: 'Reset',
        says: [`The limit is ${number(limit)} again, as configured.`, passivated(self, limit, live)],
        run: async () => {
            await send('DELETE', passivation(policy.type));
            return `the limit of ${policy.type} on ${self} is ${number(limit)} again`;
        }});
}

const MOST_WORKERS = 65_536;

export function rescaleWorkers({name, workers}) {
    ask({title: `Rescale ${name}`, verb: 'Rescale', danger: true, word: name,
        says: ({count}) => count === workers ? [`It has ${plural(workers, 'worker')}: nothing changes.`]
            : [`${workers === 1 ? 'Its worker stops' : `All ${number(workers)} workers stop, on all nodes`}.`,
                `${count === 1 ? 'One starts' : `${number(count)} start`} after that; in between none runs.`,
                'The number is kept until all nodes are stopped.'],
        count: {label: 'Workers', value: workers, min: 1, max: MOST_WORKERS},
        run: async ({count}) => {
            await send('PUT', `api/v1/daemons/${segment(name)}`, {workers: count});
            return `${name} has ${plural(count, 'worker')}`;
        }});
}

const MOST_MINUTES = 1440;

// Of the process that serves this page.
export function setLogLevel(node) {
    ask({title: `Set a log level on ${shortNode(node.id)}`, verb: 'Set',
        says: ({count}) => [`It holds for ${plural(count, 'minute')}, then the logger has its usual level again.`,
            'It concerns this process alone, and loggers of Shardbus.'],
        text: {label: 'Logger: a class or a package', value: 'io.shardbus'},
        count: {label: 'Minutes', value: 10, min: 1, max: MOST_MINUTES}, choiceLabel: 'Level',
        choices: ['debug', 'trace', 'info', 'warn', 'error', 'off'].map((level) => [level, level]),
        run: async ({choice, text, count}) => {
            await send('PUT', `api/v1/log-levels/${segment(text)}`, {level: choice, minutes: count});
            return `${text} logs at ${choice} for ${plural(count, 'minute')}`;
        }});
}

// setting: {logger, level, usual}
export function resetLogLevel({logger, level, usual}) {
    ask({title: `Reset the log level of ${logger}`, verb: 'Reset',
        says: [`It logs at ${usual ? usual : 'the level of the logger above it'} again, not at ${level}.`],
        run: async () => {
            await send('DELETE', `api/v1/log-levels/${segment(logger)}`);
            return `${logger} has its usual level again`;
        }});
}

// What concerns the whole cluster.
export const ClusterActions = () => div({class: 'actions'},
    h(ActionButton, {name: 'pause-all', onClick: () => setAllRebalancing(false)},
        'Stop rebalancing all types'),
    h(ActionButton, {name: 'resume-all', onClick: () => setAllRebalancing(true)}, 'Resume all'),
    h(ActionButton, {name: 'shutdown', onClick: () => announceShutdown(true)},
        'Prepare for shutdown'),
    h(ActionButton, {name: 'cancel-shutdown', onClick: () => announceShutdown(false)},
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
    ? h(ActionButton, {name: 'undrain', 'aria-label': `End the drain of ${shortNode(node.id)}`,
        onClick: () => undrain(node)}, 'End drain')
    : h(ActionButton, {name: 'drain', 'aria-label': `Drain ${shortNode(node.id)}`,
        onClick: () => drain(node)}, 'Drain'),
node.cordoned
    ? h(ActionButton, {name: 'uncordon', 'aria-label': `Uncordon ${shortNode(node.id)}`,
        onClick: () => cordon(node, false)}, 'Uncordon')
    : h(ActionButton, {name: 'cordon', 'aria-label': `Cordon ${shortNode(node.id)}`,
        onClick: () => cordon(node, true)}, 'Cordon'));
