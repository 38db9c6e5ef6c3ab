// A stream of server-sent events. One that is lost is opened again, later each time while it stays so; one that is
// silent is closed and opened anew. A hidden page holds no connection: browsers have six for each origin.
import {reasonOf} from './api.js';

const FIRST_PAUSE_MS = 3000;
const LONGEST_PAUSE_MS = 30_000;

// address: of the next connection, a function; on: by name what is done with an event; silentMs: how long there may be
// none, firstMs: before the first one, which may be large; lost(failure): is told why, with the status of a refusal.
// The result ends the stream, and begins it again.
export function stream({address, on, silentMs, firstMs, lost}) {
    let source = null;
    let timer = 0;
    let pauseMs = FIRST_PAUSE_MS;
    let heardAt = 0;
    let limitMs = firstMs;
    let ended = false;

    const isClosed = () => source === null || source.readyState === EventSource.CLOSED;

    function open() {
        clearTimeout(timer);
        if (ended || document.hidden || !isClosed()) {
            return;
        }
        heardAt = Date.now();
        limitMs = firstMs;
        const own = new EventSource(address());
        source = own;
        Object.entries(on).forEach(([name, take]) => own.addEventListener(name, (event) => {
            heardAt = Date.now();
            limitMs = silentMs;
            pauseMs = FIRST_PAUSE_MS;
            take(event);
        }));
        own.onerror = () => own === source && failed(own);
    }

    // The browser opens it again by itself, unless the answer was an error, whose status it does not tell.
    async function failed(own) {
        heardAt = Date.now();
        if (own.readyState !== EventSource.CLOSED) {
            lost(Object.assign(new Error('the stream was lost'), {status: 0}));
            return;
        }
        clearTimeout(timer);
        timer = setTimeout(open, pauseMs);
        pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
        const reason = await reasonOf(address());
        own === source && !ended && !document.hidden && lost(reason);
    }

    // A connection may stay open and carry nothing more: the browser does not notice.
    function watch() {
        if (!document.hidden && !isClosed() && Date.now() - heardAt > limitMs) {
            lost(Object.assign(new Error('the stream is silent'), {status: 0}));
            source.close();
            open();
        }
    }

    open();
    setInterval(watch, 1000);
    document.addEventListener('visibilitychange', () => document.hidden ? source?.close() : open());
    return {
        isOpen: () => source?.readyState === EventSource.OPEN,
        end() {
            ended = true;
            clearTimeout(timer);
            source?.close();
        },
        begin() {
            ended = false;
            pauseMs = FIRST_PAUSE_MS;
            open();
        }};
}
