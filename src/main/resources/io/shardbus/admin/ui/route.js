// Where the page is: all of it is in the query of its address, so that a link shows another operator the same.
import {useEffect, useState} from 'preact/hooks';

const listeners = new Set();

export const params = () => Object.fromEntries(new URLSearchParams(location.search));

export function href(changes) {
    const next = new URLSearchParams(location.search);
    for (const [key, value] of Object.entries(changes)) {
        if (value == null || value === '') {
            next.delete(key);
        } else {
            next.set(key, value);
        }
    }
    return `?${next}`;
}

// What belongs to one view only is left behind when the view changes.
const shared = ['type'];

export function viewHref(view, changes = {}) {
    const next = new URLSearchParams({view});
    for (const key of shared) {
        const value = new URLSearchParams(location.search).get(key);
        if (value) {
            next.set(key, value);
        }
    }
    for (const [key, value] of Object.entries(changes)) {
        next.set(key, value);
    }
    return `?${next}`;
}

// A new entry of the browser's history for a new view; the same entry for a sort order or a typed letter.
export function go(to, {replace = false} = {}) {
    history[replace ? 'replaceState' : 'pushState'](null, '', to);
    listeners.forEach((listener) => listener());
}

export const set = (changes) => go(href(changes), {replace: true});

addEventListener('popstate', () => listeners.forEach((listener) => listener()));

// Links inside the page change the view without loading it again; with a modifier key the browser does as usual.
document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href^="?"]');
    if (link && event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        go(link.getAttribute('href'));
    }
});

export function useParams() {
    const [, render] = useState(0);
    useEffect(() => {
        const listener = () => render((n) => n + 1);
        listeners.add(listener);
        return () => listeners.delete(listener);
    }, []);
    return params();
}
