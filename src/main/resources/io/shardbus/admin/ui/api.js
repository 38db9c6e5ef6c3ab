// The admin resources beside the page. The page is <mount>/ui/, so that they are at ../api.
export class ApiError extends Error {
    constructor(status, message) {
        super(message);
        this.status = status;
    }
}

// Browsers and servers take . and .. out of a path, also percent-encoded: address puts them into the query.
const isDots = (text) => text === '.' || text === '..';

export const segment = (text) => isDots(text) ? text.replaceAll('.', '%2E') : encodeURIComponent(text);

const PARAMETERS = {types: 'type', entities: 'id'};

function address(path) {
    const [place, ...query] = path.split('?');
    const visible = place.replace(/\b(types|entities)\/((?:%2E){1,2})(?=\/|$)/g, (_, of, name) => {
        query.push(`${PARAMETERS[of]}=${name}`);
        return `${of}/-`;
    });
    return `../${visible}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

// Health answers 503 with a body that counts.
export async function get(path, options) {
    return (await ask(path, options)).json;
}

// The answer as its text: numbers of JavaScript have 53 bits.
export async function getText(path) {
    return (await ask(path)).text;
}

// signal: ends the question before its time. The rest of an answer must come in time, too.
async function ask(path, {accept = [200], timeoutMs = 15_000, signal} = {}) {
    const abort = new AbortController();
    const end = () => abort.abort();
    const timer = setTimeout(() => abort.abort(new DOMException('too late', 'TimeoutError')), timeoutMs);
    signal?.addEventListener('abort', end);
    try {
        return await read(await fetch(address(path), {
            headers: {Accept: 'application/json'}, cache: 'no-store', signal: abort.signal}), accept);
    } catch (failure) {
        throw failure instanceof ApiError ? failure : new ApiError(0, failure.name === 'TimeoutError'
            ? `no answer in ${timeoutMs / 1000} s` : 'no connection');
    } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
    }
}

// Why a stream is not served, as an ApiError; it is asked for once more for that.
export async function reasonOf(address) {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), 15_000);
    try {
        const answer = await fetch(address, {headers: {Accept: 'text/event-stream'}, signal: abort.signal});
        if (!answer.ok) {
            await read(answer, []);
        }
        abort.abort();
        return new ApiError(0, 'the stream was lost');
    } catch (failure) {
        return failure instanceof ApiError ? failure : new ApiError(0, 'no connection');
    } finally {
        clearTimeout(timer);
    }
}

// A request that changes something: a form of another site cannot send its header.
export async function send(method, path, body) {
    let answer;
    try {
        answer = await fetch(address(path), {
            method,
            headers: {'Accept': 'application/json', 'Content-Type': 'application/json', 'X-Shardbus-Request': '1'},
            body: body === undefined ? undefined : JSON.stringify(body),
            signal: AbortSignal.timeout(60_000)});
    } catch (failure) {
        throw new ApiError(0, failure.name === 'TimeoutError' ? 'no answer in 60 s: the outcome is unknown'
            : 'no connection: the outcome is unknown');
    }
    return (await read(answer, [200, 201, 202, 204])).json;
}

async function read(answer, accept) {
    const text = await answer.text();
    let json = null;
    try {
        json = text === '' ? {} : JSON.parse(text);
    } catch {
        json = null;
    }
    if (!accept.includes(answer.status) || json === null) {
        const said = json?.message ?? json?.error ?? answer.statusText;
        const reason = typeof said === 'string' ? said : JSON.stringify(said);
        throw new ApiError(answer.status, reason || `status ${answer.status}`);
    }
    return {json, text};
}
