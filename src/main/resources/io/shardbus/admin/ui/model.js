// What the stream sends, in the shape that the views read.

// A JSON merge patch (RFC 7396). What it does not touch keeps its identity, so that unchanged types are not drawn anew.
export function patched(target, patch) {
    if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) {
        return patch;
    }
    const result = {...target};
    for (const [key, value] of Object.entries(patch)) {
        if (value === null) {
            delete result[key];
        } else {
            result[key] = typeof value === 'object' && !Array.isArray(value) ? patched(result[key] ?? {}, value)
                : value;
        }
    }
    return result;
}

const converted = new WeakMap();

function fromStream(name, type) {
    const known = converted.get(type);
    if (known) {
        return known;
    }
    const shards = Object.entries(type.shards).map(([shard, one]) => ({shard: Number(shard), ...one}))
        .sort((x, y) => x.shard - y.shard);
    const regions = Object.entries(type.regions).map(([node, region]) => {
        const sums = {passivated: 0, remembered: 0, restarting: 0};
        return {node, ...sums, ...region};
    });
    const byNode = new Map(regions.map((region) => [region.node, region]));
    for (const shard of shards) {
        const region = byNode.get(shard.home);
        for (const key of ['passivated', 'remembered', 'restarting']) {
            if (region && type.regions[shard.home][key] === undefined) {
                region[key] += shard[key] ?? 0;
            }
        }
    }
    const moves = Object.entries(type.moves).map(([shard, move]) => ({shard: Number(shard), ...move}));
    const detail = {...type, type: name, shards, regions, moves, failed: type.failed ?? []};
    converted.set(type, detail);
    return detail;
}

// side: what the stream does not say: {cluster, types, health, centers} as the single resources answer.
export function snapshotOfStream(raw, side, at) {
    const sideNodes = new Map((side?.cluster.nodes ?? []).map((node) => [node.id, node]));
    const cordoned = new Set(Object.values(raw.types ?? {}).flatMap((type) => type.cordoned ?? []));
    const nodes = Object.entries(raw.nodes)
        .map(([id, node]) => ({...sideNodes.get(id), ...node, id, cordoned: cordoned.has(id)}));
    const details = Object.entries(raw.types ?? {}).map(([name, type]) => fromStream(name, type));
    const known = new Map((side?.types ?? []).map((type) => [type.name, type]));
    details.forEach((detail) => known.has(detail.type)
        || known.set(detail.type, {name: detail.type, numberOfShards: detail.numberOfShards}));
    return {
        at, cluster: {coordinator: null, ...raw.cluster, nodes}, details, trouble: raw.trouble ?? null,
        types: [...known.values()].sort((x, y) => x.name < y.name ? -1 : 1),
        health: side?.health ?? {status: 'UP', reasons: []}, centers: side?.centers ?? {self: null, others: []}};
}
