'use strict';

const REFRESH_MS = 5000;
const HOURS = 7 * 24;
const DAYS = 8;
const LEFT = 50, RIGHT = 790, TOP = 15, BOTTOM = 270;
const SVG = 'http://www.w3.org/2000/svg';
const byId = (id) => document.getElementById(id);

async function get(path) {
  const answer = await fetch(path);
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.message);
  return body;
}

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  if (text !== undefined) made.textContent = text;
  return made;
}

function draw(sums, quantity) {
  const chart = byId('chart');
  chart.replaceChildren();
  if (sums.length === 0) return;
  const low = Math.floor(Math.min(...sums.map((sum) => sum[quantity].least)));
  const high = Math.max(low + 1, Math.ceil(Math.max(...sums.map((sum) => sum[quantity].most))));
  const times = sums.map((sum) => Date.parse(sum.from));
  const first = times[0], last = Math.max(first + 1, times[times.length - 1]);
  const x = (time) => LEFT + (RIGHT - LEFT) * (time - first) / (last - first);
  const y = (value) => BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low);
  for (let i = 0; i <= 4; i++) {
    const value = low + (high - low) * i / 4;
    chart.append(element('line', { class: 'grid', x1: LEFT, x2: RIGHT, y1: y(value), y2: y(value) }));
    chart.append(element('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, value.toFixed(1)));
  }
  times.forEach((time, i) => {
    if (sums[i].from.includes('T00:00')) {
      chart.append(element('line', { class: 'grid', x1: x(time), x2: x(time), y1: TOP, y2: BOTTOM }));
      chart.append(element('text', { x: x(time) + 3, y: BOTTOM + 18 }, sums[i].from.slice(5, 10)));
    }
  });
  const points = (key) => sums.map((sum, i) => `${x(times[i])},${y(sum[quantity][key])}`);
  const around = points('most').concat(points('least').reverse());
  chart.append(element('polygon', { class: 'range', points: around.join(' ') }));
  chart.append(element('polyline', { class: 'mean', points: points('mean').join(' ') }));
}

function list(sums, quantity) {
  byId('days').replaceChildren(...sums.slice().reverse().map((sum) => {
    const row = document.createElement('tr');
    const measure = sum[quantity];
    const numbers = [measure.least, measure.mean, measure.most].map((value) => value.toFixed(1));
    [sum.from.slice(0, 10), sum.readings, ...numbers].forEach((text) => {
      row.insertCell().textContent = text;
    });
    return row;
  }));
}

async function refresh() {
  const now = byId('now');
  const station = '/stations/' + encodeURIComponent(byId('station').value);
  const quantity = byId('quantity').value;
  try {
    const [state, hours, days] = await Promise.all([
      get(station), get(`${station}/hourly?newest=${HOURS}`), get(`${station}/daily?newest=${DAYS}`)]);
    now.className = '';
    now.textContent = state.last
      ? `${state.last[quantity]} at ${state.last.at}, after ${state.taken} readings, on node ${state.node}`
      : `no reading yet, on node ${state.node}`;
    draw(hours.sums, quantity);
    list(days.sums, quantity);
  } catch (failure) {
    now.className = 'failed';
    now.textContent = 'not refreshed: ' + failure.message;
  }
}

async function begin() {
  try {
    const { stations } = await get('/stations');
    byId('station').replaceChildren(...stations.map((id) => new Option(id, id)));
  } catch (failure) {
    byId('now').textContent = 'no stations: ' + failure.message;
    setTimeout(begin, REFRESH_MS);
    return;
  }
  byId('station').addEventListener('change', refresh);
  byId('quantity').addEventListener('change', refresh);
  await refresh();
  setInterval(refresh, REFRESH_MS);
}

begin();
