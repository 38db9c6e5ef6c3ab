// What the page is drawn from: a stream with a snapshot, then differences, and resources beside it. It is the only
// module that knows how the data arrives.
import {get} from './api.js';
import {patched, snapshotOfStream} from './model.js';
import {stream} from './sse.js';

// What the stream does not say is asked for less often.
const SIDE_MS = 3000;
// The node says something each second, if only that there is no news.
const SILENT_MS = 5000;
// The snapshot of thousands of shards takes its time on a slow line.
const FIRST_MS = 60_000;
// What took longer tells no time.
const LONGEST_LOOK_MS = 4000;
// Clocks that differ by less are taken as equal.
const EQUAL_MS = 2000;

// Calls sink.received(snapshot) or sink.failed(error). The result ends all questions, and begins them again.
export function start(sink) {
    let raw = null;
    let side = null;
    let timer = 0;
    let ahead = 0;
    let heardAt = 0;
    let ended = false;
    // Whether there is something to draw that the stream has not said.
    let fresh = false;

    // Several differences that arrive at once are drawn once.
    function soon() {
        timer = timer || setTimeout(() => {
            timer = 0;
            if (raw && side && !ended && source.isOpen()) {
                fresh = false;
                sink.received({...snapshotOfStream(raw, side, heardAt), ahead});
            }
        }, 30);
    }

    function failed(failure) {
        ended || sink.failed(failure);
    }

    // How far the clock of the node is ahead of this browser's.
    function compareClocks(clock, askedAt) {
        const now = Date.now();
        if (clock && now - askedAt < LONGEST_LOOK_MS) {
            const found = Math.round(clock - (askedAt + now) / 2);
            ahead = Math.abs(found) < EQUAL_MS ? 0 : found;
        }
    }

    async function readSide() {
        const askedAt = Date.now();
        try {
            const [cluster, types, health, centers] = await Promise.all([
                get('api/v1/cluster').then((answer) => {
                    compareClocks(answer.clock, askedAt);
                    return answer;
                }), get('api/v1/types'), get('health/ready', {accept: [200, 503]}), get('api/v1/data-centers')]);
            // Drawn when the stream speaks next: a stream that is silent does not become live by this.
            const first = !side;
            side = {cluster, types: types.types, health, centers};
            fresh = true;
            first && soon();
        } catch (failure) {
            fresh = true;
            failed(failure);
        }
    }

    const heard = (take) => (event) => {
        heardAt = Date.now();
        take(event);
    };
    const source = stream({address: () => '../api/v1/stream', silentMs: SILENT_MS, firstMs: FIRST_MS, lost: failed, on: {
        snapshot: heard((event) => {
            raw = JSON.parse(event.data);
            soon();
        }),
        patch: heard((event) => {
            raw = patched(raw, JSON.parse(event.data));
            soon();
        }),
        alive: heard(() => fresh && soon())}});
    readSide();
    setInterval(() => document.hidden || ended || readSide(), SIDE_MS);
    document.addEventListener('visibilitychange', () => document.hidden || ended || readSide());
    return {
        end() {
            ended = true;
            source.end();
        },
        begin() {
            ended = false;
            source.begin();
            readSide();
        }};
}
