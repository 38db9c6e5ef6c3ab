// Actions are asked for by a button, and confirmed in a dialog that says first what will happen.
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {button, dialog, div, form, h2, input, label, li, option, p, select, span, strong, ul} from './el.js';
import {settings} from './settings.js';
import {spelled} from './widgets.js';

const FORBIDDEN = 'These admin resources are read-only';

let show = () => {};
let tell = () => {};

// action: {title, says: [sentences] or a function of what is filled in that gives them, choices: [[value, text]] with
// choiceLabel, text: {label, value}, count: {label, value, min, max}, word: what must be typed to confirm, verb,
// danger, run({choice, text, count}) → sentence}
export const ask = (action) => show(action);

// The button of an action that changes something. Where nothing can be changed it is drawn as such, and says why.
export const ActionButton = ({name, onClick, children, ...rest}) => button({
    ...rest, type: 'button', 'data-action': name, 'aria-disabled': settings.readOnly ? 'true' : undefined,
    title: settings.readOnly ? FORBIDDEN : rest.title,
    onClick: settings.readOnly ? () => tell({kind: 'bad', text: `Not allowed: ${FORBIDDEN.toLowerCase()}`}) : onClick},
children);

const isCount = ({min, max}, typed) => /^[0-9]+$/.test(typed) && Number(typed) >= min && Number(typed) <= max;

const isTyped = (wanted, typed) => [typed, typed.trim()].some((text) => text === wanted || text === spelled(wanted));

const isFilled = (action, {text, count, word}) => (!action.text || text.trim() !== '')
    && (!action.count || isCount(action.count, count)) && (!action.word || isTyped(action.word, word));

// What is filled in, as the action takes it; what cannot be a count is the present one.
const filled = (action, {choice, text, count}) => ({choice, text: text.trim(),
    count: action.count && isCount(action.count, count) ? Number(count) : action.count?.value});

export function ActionDialog() {
    const [action, setAction] = useState(null);
    const [values, setValues] = useState({});
    const [progress, setProgress] = useState(null);
    const box = useRef();
    // The dialog may be closed while its action runs: what comes of that action is then not the next dialog's.
    const shown = useRef(null);
    show = (next) => {
        shown.current = next;
        setValues({choice: next.choices?.[0][0] ?? '', text: next.text?.value ?? '',
            count: String(next.count?.value ?? ''), word: ''});
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
    const ready = progress === null && isFilled(action, values);
    async function confirm(event) {
        event.preventDefault();
        if (!ready) {
            return;
        }
        setProgress({text: 'Under way …'});
        try {
            tell({kind: 'ok', text: await action.run(filled(action, values))});
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
    const says = typeof action.says === 'function' ? action.says(filled(action, values)) : action.says;
    const fields = h(Fields, {action, values, change: (changed) => setValues((now) => ({...now, ...changed}))});
    return dialog({ref: box, 'aria-labelledby': 'dialog-title', onClose: closed},
        form({onSubmit: confirm},
            h2({id: 'dialog-title'}, action.title),
            ul({class: 'says'}, says.map((one) => li({key: one}, one))),
            fields,
            progress && p({role: 'status', class: progress.failed ? 'bad-text' : 'muted'}, progress.text),
            div({class: 'dialog-foot'}, button({type: 'button', onClick: close}, progress?.failed ? 'Close' : 'Cancel'),
                button({type: 'submit', class: action.danger ? 'danger' : 'primary', disabled: !ready,
                    autofocus: first(action) === null}, action.verb))));
}

// The field that has the focus first; null where there is none to fill in.
const first = (action) => ['text', 'count', 'word'].find((name) => action[name]) ?? null;

function Fields({action, values, change}) {
    const field = (name, rest) => input({id: name, value: values[name], autocomplete: 'off', spellcheck: false,
        autofocus: first(action) === name, onInput: (event) => change({[name]: event.target.value}), ...rest});
    const {text, count, choices, choiceLabel, word} = action;
    return [
        text && div({key: 'text', class: 'word'}, label({for: 'text'}, text.label), field('text')),
        count && div({key: 'count', class: 'word'}, label({for: 'count'}, count.label),
            field('count', {type: 'number', min: count.min, max: count.max, step: 1})),
        choices && div({key: 'choice', class: 'word'}, label({for: 'choice'}, choiceLabel ?? 'To'),
            select({id: 'choice', value: values.choice, onChange: (event) => change({choice: event.target.value})},
                choices.map(([value, shown]) => option({key: value, value}, shown)))),
        word && div({key: 'word', class: 'word'}, label({for: 'word'}, 'Type ', strong(spelled(word)), ' to confirm',
            spelled(word).includes('␣') && !word.includes('␣') && ': ␣ is a blank'),
            field('word'))];
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
