// One stream for the page: a snapshot, then differences. It is the only module that knows how the data arrives.
import {get} from './api.js';
import {patched, snapshotOfStream} from './model.js';

// What the stream does not say is asked for less often.
const SIDE_MS = 3000;
// The node says something each second, if only that there is no news.
const SILENT_MS = 5000;

// Calls sink.received(snapshot) or sink.failed(error).
export function start(sink) {
    let raw = null;
    let side = null;
    let source = null;
    let timer = 0;
    let heardAt = Date.now();
    // Whether there is something to draw that the stream has not said.
    let fresh = false;

    const isOpen = () => source.readyState === EventSource.OPEN;

    // Several differences that arrive at once are drawn once.
    function soon() {
        timer = timer || setTimeout(() => {
            timer = 0;
            if (raw && side && isOpen()) {
                fresh = false;
                sink.received(snapshotOfStream(raw, side, heardAt));
            }
        }, 30);
    }

    async function readSide() {
        try {
            const [cluster, types, health, centers] = await Promise.all([
                get('api/v1/cluster'), get('api/v1/types'), get('health/ready', {accept: [200, 503]}),
                get('api/v1/data-centers')]);
            // Drawn when the stream speaks next: a stream that is silent does not become live by this.
            const first = !side;
            side = {cluster, types: types.types, health, centers};
            fresh = true;
            first && soon();
        } catch (failure) {
            fresh = true;
            sink.failed(failure);
        }
    }

    function open() {
        source = new EventSource('../api/v1/stream');
        heardAt = Date.now();
        source.addEventListener('snapshot', (event) => {
            heardAt = Date.now();
            raw = JSON.parse(event.data);
            soon();
        });
        source.addEventListener('patch', (event) => {
            heardAt = Date.now();
            raw = patched(raw, JSON.parse(event.data));
            soon();
        });
        source.addEventListener('alive', () => {
            heardAt = Date.now();
            fresh && soon();
        });
        source.onerror = () => {
            // The browser opens it again by itself, unless the answer was an error; readSide says which.
            sink.failed(Object.assign(new Error('the stream was lost'), {status: 0}));
            if (source.readyState === EventSource.CLOSED) {
                readSide();
                setTimeout(() => document.hidden || source.readyState !== EventSource.CLOSED || open(), SIDE_MS);
            }
        };
    }

    // A connection may stay open and carry nothing more: the browser does not notice.
    function watch() {
        if (!document.hidden && source.readyState !== EventSource.CLOSED && Date.now() - heardAt > SILENT_MS) {
            sink.failed(Object.assign(new Error('the stream is silent'), {status: 0}));
            source.close();
            open();
        }
    }

    open();
    readSide();
    setInterval(watch, 1000);
    setInterval(() => document.hidden || readSide(), SIDE_MS);
    document.addEventListener('visibilitychange', () => {
        if (document.hidden) {
            source.close();
        } else if (source.readyState === EventSource.CLOSED) {
            readSide();
            open();
        }
    });
}
