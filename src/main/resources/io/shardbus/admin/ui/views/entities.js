import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {button, code, dd, dl, dt, form, input, label, span} from '../el.js';
import {get, segment} from '../api.js';
import {set} from '../route.js';
import {Badge, Empty, NodeLink, Panel, ShardLink, TypePicker} from '../widgets.js';
import {chosen} from './shards.js';

export function Entities({state, params}) {
    const detail = chosen(state, params);
    const [typed, setTyped] = useState(params.id ?? '');
    const [found, setFound] = useState(null);
    const id = params.id;
    useEffect(() => setTyped(id ?? ''), [id]);
    useEffect(() => {
        let wanted = true;
        setFound(null);
        if (id && detail) {
            get(`api/v1/types/${segment(detail.type)}/entities/${segment(id)}`)
                .then((answer) => wanted && setFound(answer), (failure) => wanted && setFound(failure));
        }
        return () => {
            wanted = false;
        };
    }, [id, detail?.type, Math.floor(state.at / 2000)]);
    if (!detail) {
        return h(Empty, {title: 'This node has started no type'});
    }
    return h(Panel, {title: 'Find an entity'},
        form({class: 'find', role: 'search', onSubmit: (event) => {
            event.preventDefault();
            set({id: typed, type: detail.type});
        }},
        h(TypePicker, {types: state.snapshot.types, value: detail.type}),
        label({for: 'find'}, 'Id'),
        input({id: 'find', value: typed, autocomplete: 'off', spellcheck: false, placeholder: 'for example 42',
            onInput: (event) => setTyped(event.target.value)}),
        button({type: 'submit', class: 'primary'}, 'Find')),
        !id ? h(Empty, {title: 'Type an id'}, 'The page says where the entity is and whether it is live.')
            : h(Found, {found, id, type: detail.type}));
}

function Found({found, id, type}) {
    if (found === null) {
        return span({class: 'muted'}, 'Asking …');
    }
    if (found instanceof Error) {
        return h(Badge, {kind: 'bad'}, found.message);
    }
    return dl({class: 'pairs found', 'data-entity': id},
        dt('Id'), dd(code(id)), dt('Type'), dd(type),
        dt('State'), dd(found.live ? h(Badge, {kind: 'ok'}, 'live') : h(Badge, {kind: 'quiet'}, 'not live')),
        dt('Node'), dd(h(NodeLink, {id: found.node})),
        dt('Shard'), dd(found.shard === null ? 'without a home' : h(ShardLink, {type, shard: found.shard})),
        found.token && [dt('Fencing token'),
            dd(code(`term ${found.token.term}, number ${found.token.sequence}`))]);
}
