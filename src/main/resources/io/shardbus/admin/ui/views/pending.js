import {h} from 'preact';
import {Empty, Panel} from '../widgets.js';

// A view whose data this node does not give. It says so instead of showing nothing.
export const pending = (what) => () => h(Panel, {}, h(Empty, {title: 'This node gives no data for this view'}, what));
