// The page: its frame, its views, its keys.
import {h, render} from 'preact';
import {useEffect, useErrorBoundary, useRef, useState} from 'preact/hooks';
import {a, button, dd, dialog, div, dl, dt, h1, h2, header, kbd, main, nav, p, span} from './el.js';
import {ActionDialog, Notice} from './dialog.js';
import {again, begin, useData} from './data.js';
import {go, useParams, viewHref} from './route.js';
import {Badge, Clock, DataCenter, Empty, duration, number, plural, shortNode} from './widgets.js';
import {reasons, silentNodes} from './health.js';
import {settings} from './settings.js';
import {Overview} from './views/overview.js';
import {ClusterMap} from './views/map.js';
import {Shards} from './views/shards.js';
import {Moves} from './views/moves.js';
import {Entities} from './views/entities.js';
import {Hot} from './views/hot.js';
import {Plan} from './views/plan.js';
import {Why} from './views/why.js';
import {Memory} from './views/memory.js';
import {NodeView} from './views/node.js';
import {Events} from './views/events.js';
import {Failures} from './views/failures.js';
import {Latency} from './views/latency.js';
import {Projections} from './views/projections.js';
import {Connections} from './views/connections.js';

// In the order of the menu: name, key after g, title, view.
const views = [
    ['overview', 'o', 'Overview', Overview], ['map', 'c', 'Cluster map', ClusterMap], ['shards', 's', 'Shards', Shards],
    ['moves', 'm', 'Moves', Moves],
    ['why', 'w', 'Why here?', Why],
    ['plan', 'p', 'Plan', Plan],
    ['entities', 'e', 'Entities', Entities],
    ['hot', 'h', 'Hot', Hot],
    ['latency', 'l', 'Latency', Latency],
    ['failures', 'f', 'Failures', Failures],
    ['events', 'v', 'Events', Events],
    ['memory', 'y', 'Memory', Memory], ['node', 'n', 'Node', NodeView],
    ['projections', 'j', 'Projections', Projections],
    ['connections', 'x', 'Connections', Connections]
].map(([name, key, title, view]) => ({name, key, title, view}));

const THEME = 'shardbus.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

function useTheme() {
    const [choice, setChoice] = useState(localStorage.getItem(THEME));
    const [system, setSystem] = useState(dark.matches ? 'dark' : 'light');
    useEffect(() => {
        const listener = () => setSystem(dark.matches ? 'dark' : 'light');
        dark.addEventListener('change', listener);
        return () => dark.removeEventListener('change', listener);
    }, []);
    const theme = choice ?? system;
    document.documentElement.dataset.theme = theme;
    return [theme, () => {
        const next = theme === 'dark' ? 'light' : 'dark';
        localStorage.setItem(THEME, next);
        setChoice(next);
    }];
}

function useKeys(help) {
    useEffect(() => {
        let afterG = 0;
        const listener = (event) => {
            const typing = event.target.closest?.('input, textarea, select, dialog');
            if (typing || event.ctrlKey || event.metaKey || event.altKey) {
                return;
            }
            if (event.key === '?') {
                help();
            } else if (event.key === '/') {
                event.preventDefault();
                go(viewHref('entities'));
                requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById('find')?.focus()));
            } else if (event.key === 'm' && Date.now() - afterG >= 2000) {
                document.querySelector('[data-action=move]')?.click();
            } else if (event.key === 'g') {
                afterG = Date.now();
                return;
            } else if (Date.now() - afterG < 2000) {
                const view = views.find((one) => one.key === event.key);
                view && go(viewHref(view.name));
            }
            afterG = 0;
        };
        document.addEventListener('keydown', listener);
        return () => document.removeEventListener('keydown', listener);
    }, []);
}

function Connection({state}) {
    const age = Date.now() - state.at;
    if (state.status === 'live') {
        return h(Badge, {kind: 'live', 'data-status': 'live'}, span({class: 'pulse', 'aria-hidden': 'true'}), 'live');
    }
    return h(Badge, {kind: 'bad', 'data-status': state.status}, state.status === 'forbidden' ? 'not allowed'
        : state.snapshot ? `no answer for ${duration(age)}` : 'connecting');
}

function Menu({current, found}) {
    return nav({class: 'menu', 'aria-label': 'Views'}, views.map((view) => a({
        key: view.name, href: viewHref(view.name), 'data-view': view.name,
        'aria-current': view.name === current ? 'page' : undefined, title: `g ${view.key}`},
    span(view.title), view.name === 'overview' && found.length > 0
        ? span({class: `count ${found[0].kind}`}, String(found.length)) : kbd({'aria-hidden': 'true'}, view.key))));
}

function Help({box}) {
    return dialog({ref: box, 'aria-labelledby': 'help-title', class: 'help'},
        h2({id: 'help-title'}, 'Keys'),
        dl({class: 'keys'}, views.map((view) => [dt({key: view.name}, kbd('g'), ' ', kbd(view.key)), dd(view.title)]),
            dt(kbd('/')), dd('Find an entity'), dt(kbd('←'), kbd('↑'), kbd('↓'), kbd('→')),
                dd('Move in the map of shards'),
            dt(kbd('Enter')), dd('Open the shard'), dt(kbd('m')), dd('Move the open shard'), dt(kbd('Esc')),
                dd('Close a dialog'), dt(kbd('?')),
                dd('This help')),
        div({class: 'dialog-foot'}, button({type: 'button', autofocus: true, onClick: () => box.current.close()},
            'Close')));
}

function View({view, ...rest}) {
    const [failure] = useErrorBoundary((error) => console.error(error));
    return failure ? h(Empty, {title: 'This view failed'}, String(failure.message ?? failure)) : h(view.view, rest);
}

const Again = () => button({type: 'button', 'data-action': 'again', onClick: again}, 'Try again');

// The figures of all views lack what is on these nodes.
function Silent({state}) {
    const {nodes} = state.snapshot.cluster;
    const silent = silentNodes(state);
    return silent.length > 0 && p({class: 'banner', role: 'status', 'data-silent': silent.length}, `${
        number(silent.length)} of ${plural(nodes.length, 'node')} did not answer: ${
        silent.map(shortNode).join(', ')}. The figures lack what is there.`);
}

function Waiting({state}) {
    return main({class: 'waiting'}, h(Empty, {title: state.status === 'forbidden' ? 'You may not read this'
        : state.failure ? 'This node does not answer' : 'Asking the cluster …'}, state.failure?.message),
    state.status === 'forbidden' && h(Again, {}));
}

function Page() {
    const state = useData();
    const params = useParams();
    const [theme, toggle] = useTheme();
    const help = useRef();
    useKeys(() => help.current.showModal());
    const view = views.find((one) => one.name === params.view) ?? views[0];
    const found = state.snapshot ? reasons(state) : [];
    const stopping = state.snapshot?.cluster.stopping === true;
    useEffect(() => {
        document.title = [settings.environment, view.title, 'Shardbus'].filter(Boolean).join(' · ');
    }, [view]);
    useEffect(() => {
        document.body.dataset.status = state.status;
        document.body.dataset.showing = view.name;
        if (state.snapshot) {
            document.body.dataset.ready = 'true';
        }
    });
    return div({class: 'frame'},
        a({class: 'skip', href: '#main'}, 'Skip to the view'),
        header({class: `top ${settings.environment ? `of-${settings.environmentColour}` : ''} ${
            settings.environment || settings.readOnly || stopping ? 'crowded' : ''}`},
            a({class: 'brand', href: '?view=overview', 'aria-label': 'Shardbus'},
                span({class: 'logo', 'aria-hidden': 'true'}), span({class: 'brand-name'}, 'Shardbus')),
            settings.environment && span({class: 'environment', title: 'environment',
                'data-of': settings.environment}, span({'aria-hidden': 'true'}, '◆ '), settings.environment),
            settings.readOnly && h(Badge, {kind: 'quiet', 'data-read-only': true,
                title: 'Nothing can be changed here: see AdminOptions.setReadOnly'}, 'read-only'),
            stopping && h(Badge, {kind: 'warn', 'data-stopping': true,
                title: 'The shutdown of the whole cluster is announced: no shard moves'}, 'stopping'),
            div({class: 'top-right'}, state.snapshot && h(DataCenter, {name: state.snapshot.centers.self}),
                h(Connection, {state}),
                state.at > 0 && span({class: 'muted at'}, h(Clock, {at: state.at + state.ahead})),
                state.ahead !== 0 && h(Badge, {kind: 'warn', 'data-ahead': state.ahead, title: 'Times and ages on this'
                    + ' page are by the clock of the node'}, `this browser's clock is ${duration(Math.abs(state.ahead))} ${
                    state.ahead > 0 ? 'late' : 'early'}`),
                state.snapshot && span({class: 'muted served'}, `from ${shortNode(state.snapshot.cluster.self)}`),
                button({type: 'button', class: 'quiet', onClick: toggle, 'aria-label': `Switch to ${
                    theme === 'dark' ? 'light' : 'dark'} colours`}, theme === 'dark' ? '☀' : '☾'),
                button({type: 'button', class: 'quiet', 'aria-label': 'Keys', onClick: () => help.current.showModal()},
                    '?'))),
        h(Menu, {current: view.name, found}),
        state.snapshot ? main({id: 'main', tabIndex: -1, class: `view view-${view.name} ${state.status}`},
            h1(view.title),
            state.status !== 'live' && p({class: 'banner', role: 'alert'}, state.status === 'forbidden'
                ? 'You may not read this any more: ' : 'What you see is old: ', state.failure?.message ?? '',
            state.status === 'forbidden' && h(Again, {})),
            h(Silent, {state}),
            h(View, {key: view.name, view, state, params, theme})) : h(Waiting, {state}),
        h(ActionDialog, {}), h(Help, {box: help}), h(Notice, {}));
}

render(h(Page, {}), document.getElementById('page'));
begin();
