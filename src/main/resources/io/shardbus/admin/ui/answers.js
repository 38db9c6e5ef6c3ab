// What a view asks a resource again and again, and what it says while no answer comes.
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {get} from './api.js';
import {p, span} from './el.js';
import {state} from './data.js';
import {silentNodes} from './health.js';
import {Badge, Panel, duration, plural, shortNode} from './widgets.js';

// An answer that takes longer than this is waited for in sight.
const LATE_MS = 3000;
const RETRY_MS = 5000;
const PAUSED_MS = 1000;

const NONE = {path: null, answer: null, failure: null, at: 0, waitsMs: 0};

// The answer of a resource: {answer, failure, at, waitsMs, again}. There is one question at a time, and the next one
// follows a period after the one before, or once its answer is there; without a period only where it failed, or when
// again() is called. An answer stays until the next one comes, and is dropped only when the path changes. answer: the
// last one, or null; failure: of the last question, or null; at: when the answer came; waitsMs: for how long the
// present question has been open. Nothing is asked where the path is null, while the page is hidden, and after a refusal.
export function useAnswer(path, periodMs) {
    const [shown, show] = useState(NONE);
    const question = useRef(null);
    useEffect(() => {
        question.current = path === null ? null : asking(path, periodMs, show);
        return () => question.current?.end();
    }, [path, periodMs]);
    return {...(shown.path === path ? shown : NONE), again: () => question.current?.again()};
}

function asking(path, periodMs, show) {
    const abort = new AbortController();
    let shown = {...NONE, path};
    let open = false;
    let anew = false;
    let timer = 0;

    function put(changes) {
        shown = {...shown, ...changes};
        abort.signal.aborted || show(shown);
    }

    function askIfAllowed() {
        if (document.hidden || state.status === 'forbidden') {
            schedule(PAUSED_MS);
        } else {
            ask();
        }
    }

    function schedule(pauseMs) {
        if (pauseMs !== undefined && !abort.signal.aborted) {
            timer = setTimeout(askIfAllowed, pauseMs);
        }
    }

    async function ask() {
        clearTimeout(timer);
        open = true;
        anew = false;
        const askedAt = Date.now();
        const waiting = setInterval(() => put({waitsMs: Date.now() - askedAt}), 1000);
        try {
            const answer = await get(path, {signal: abort.signal});
            put({answer, failure: null, at: Date.now(), waitsMs: 0});
        } catch (failure) {
            put({failure, waitsMs: 0});
        }
        clearInterval(waiting);
        open = false;
        // A node that is slow has half of the time for itself.
        const rest = periodMs && Math.max(periodMs / 2, periodMs - (Date.now() - askedAt));
        schedule(anew ? 0 : rest ?? (shown.failure ? RETRY_MS : undefined));
    }

    askIfAllowed();
    return {
        again() {
            anew = true;
            clearTimeout(timer);
            open || askIfAllowed();
        },
        end() {
            clearTimeout(timer);
            abort.abort();
        }};
}

const silence = ({waitsMs}, asked) => `${asked} ${asked.endsWith('s') ? 'have' : 'has'} given no answer for ${
    duration(waitsMs)}`;

// In place of an answer that is not there yet, or failed; null where it is there.
export function unanswered(asked, title, whom = 'the nodes') {
    if (asked.answer !== null) {
        return null;
    }
    if (asked.failure) {
        return h(Panel, {title}, h(Badge, {kind: 'bad'}, asked.failure.message));
    }
    return span({class: 'muted'}, `Asking ${whom} …`,
        asked.waitsMs >= LATE_MS && span({class: 'warn-text'}, ` ${silence(asked, whom)}`));
}

// The nodes that did not answer this question, without those that the page names above each view.
export function SilentNodes({failed}) {
    const named = silentNodes(state);
    const others = failed.filter((node) => !named.includes(node));
    return others.length > 0 && p({class: 'banner', role: 'status', 'data-no-answer': others.length},
        `${plural(others.length, 'node')} did not answer: ${others.map(shortNode).join(', ')}`);
}

// Above an answer: how old it is, where the next one is late or failed.
export function Late({of, whom = 'the nodes'}) {
    const late = of.waitsMs >= LATE_MS;
    return of.answer !== null && (late || of.failure) && p({class: 'banner', 'data-late': true},
        `${late ? silence(of, whom) : of.failure.message}: what you see below is ${duration(Date.now() - of.at)} old`);
}
