// Elements by name: div({class: 'a'}, 'text'), span('text'). The first argument may be left out where it is no props.
import {h} from 'preact';

const isProps = (value) => value != null && typeof value === 'object' && value.constructor === Object;

export const el = (type) => (first, ...rest) => isProps(first) ? h(type, first, ...rest)
    : h(type, null, first, ...rest);

export const [a, article, aside, b, button, code, dd, dialog, div, dl, dt, form, h1, h2, h3, header, input, kbd, label,
    li, main, nav, ol, option, p, section, select, small, span, strong, sup, table, tbody, td, th, thead, time, tr,
        ul] =
    ['a', 'article', 'aside', 'b', 'button', 'code', 'dd', 'dialog', 'div', 'dl', 'dt', 'form', 'h1', 'h2', 'h3',
        'header', 'input', 'kbd', 'label', 'li', 'main', 'nav', 'ol', 'option', 'p', 'section', 'select', 'small',
            'span',
        'strong', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'time', 'tr', 'ul'].map(el);
