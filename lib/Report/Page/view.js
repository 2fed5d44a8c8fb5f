// The page: what is drawn, and what happens on keys and pointers. Text from the
// model only ever becomes the text of a node, never markup.
'use strict';

const DATA = JSON.parse(document.getElementById('data').textContent);
const SVG = 'http://www.w3.org/2000/svg';
const KINDS =
    ['conv', 'matmul', 'attention', 'reduction', 'pool', 'elementwise', 'movement', 'other'];
const $ = id => document.getElementById(id);
const state = {
  folded: true,
  x: 0,
  y: 0,
  scale: 1,
  chosen: null,
  tab: 'kept',
  boxes: [],
  links: []
};

function h(tag, attributes, ...children) {
  const svg = 'svg g rect text path circle line title tspan'.split(' ').includes(tag);
  const node = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith('on'))
      node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(key, value);
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined)
      node.append(child);
  }
  return node;
}

// ---- numbers and names

function short(value, units, step) {
  let unit = 0;
  while (value >= step && unit + 1 < units.length) {
    value /= step;
    ++unit;
  }
  const digits = unit === 0 && Number.isInteger(value) ? 0 : value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toFixed(digits) + ' ' + units[unit];
}
const bytes = value => short(value, ['B', 'KB', 'MB', 'GB', 'TB'], 1000);
const flops = value => short(value, ['FLOP', 'kFLOP', 'MFLOP', 'GFLOP', 'TFLOP', 'PFLOP'], 1000);
const time = us => us >= 1000  ? (us / 1000).toFixed(2) + ' ms'
                   : us >= 100 ? us.toFixed(0) + ' µs'
                               : us.toFixed(1) + ' µs';
const clip = (text, length) => text.length <= length
                                   ? text
                                   : text.slice(0, Math.ceil(length / 2) - 1) + '…' +
                                         text.slice(text.length - Math.floor(length / 2));
const color = kind => 'var(--' + (KINDS.includes(kind) ? kind : 'other') + ')';
const plural = (n, word) => n + ' ' + word + (n === 1 ? '' : 's');

// ---- the model behind the picture

const groups = DATA.groups, nodes = DATA.nodes;
groups.forEach((group, index) => { Object.assign(group, {index, members: [], kind: 'other'}); });
nodes.forEach((node, index) => {
  node.index = index;
  if (node.group >= 0)
    groups[node.group].members.push(node);
});

// One line for each source node, however many operations it became.
function joinSources(members) {
  const sources = [];
  for (const node of members) {
    const last = sources[sources.length - 1];
    if (last && last.name === node.name) {
      ++last.count;
      last.type = node.type;
      if (KINDS.indexOf(node.kind) < KINDS.indexOf(last.kind))
        last.kind = node.kind;
    } else {
      sources.push({name: node.name, type: node.type, kind: node.kind, count: 1});
    }
  }
  return sources;
}

// The kind that a group is coloured by: that of its heaviest work.
for (const group of groups) {
  const kinds = group.members.map(node => node.kind);
  group.sources = joinSources(group.members);
  const products = kinds.filter(kind => kind === 'matmul').length;
  const first = kinds.indexOf('matmul'), last = kinds.lastIndexOf('matmul');
  const between = kinds.slice(first + 1, Math.max(first + 1, last)).includes('reduction');
  group.kind = products > 1 && between ? 'attention'
                                       : KINDS.find(kind => kinds.includes(kind)) || 'movement';
  group.key = group.kernel;
}
const twins = new Map();
for (const group of groups)
  twins.set(group.key, (twins.get(group.key) || []).concat(group));
const slowest = Math.max(1e-9, ...groups.map(group => group.estimate_us));
const repeats = findRepeats(groups.map(group => group.key), 64);

// ---- boxes and links that are to be seen

const OP_LINES = 7, LINE = 17, HEAD = 25, FOOT = 24;

const pen = document.createElement('canvas').getContext('2d');
const widths = new Map();

// The width of text in the page's font.
function measure(text, size) {
  const key = size + text;
  if (!widths.has(key)) {
    pen.font = size + 'px ' + getComputedStyle(document.body).fontFamily;
    widths.set(key, pen.measureText(text).width);
  }
  return widths.get(key);
}

// As much of the text as fits, its middle left out.
function fitText(text, size, width) {
  let length = text.length;
  while (length > 4 && measure(clip(text, length), size) > width) {
    length = Math.min(length - 1, Math.floor(length * width / measure(clip(text, length), size)));
  }
  return clip(text, Math.max(4, length));
}

function makeBox(group) {
  const lines = group.sources.slice(0, group.sources.length > OP_LINES ? OP_LINES - 1 : OP_LINES);
  const more = group.sources.length - lines.length;
  const needs = lines.map(source => measure(source.name, 11.5) + measure(source.type, 10.5) +
                                    (source.count > 1 ? 74 : 52));
  return {
    type: 'group',
    group,
    kind: group.kind,
    w: Math.min(350, Math.max(210, ...needs)),
    h: HEAD + (lines.length + (more > 0)) * LINE + FOOT + 6,
    lines,
    more
  };
}

function makeStack(repeat) {
  const all =
      groups.slice(repeat.start + repeat.period, repeat.start + repeat.period * repeat.count);
  const title = plural(repeat.count - 1, 'more layer') + ' like the one above';
  return {
    type: 'stack',
    repeat,
    groups: all,
    title,
    kind: 'other',
    w: Math.max(250, measure(title, 12.5) * 1.1 + 42),
    h: 74,
    us: all.reduce((sum, group) => sum + group.estimate_us, 0)
  };
}

function collectBoxes() {
  const boxes = [], boxOf = new Map();
  const portBox = node => {
    boxOf.set('n' + node.index, boxes.length);
    boxes.push({
      type: 'port',
      node,
      kind: 'other',
      w: Math.min(
          300, Math.max(measure(node.name, 12.5), measure(node.kind + node.type, 11)) * 1.08 + 34),
      h: 42
    });
  };
  // An input that nothing reads (only its shape counts) is not worth a box.
  const read = new Set(DATA.edges.map(edge => edge.producer));
  nodes.filter(node => node.kind === 'input' && read.has(node.index)).forEach(portBox);
  const stacks = new Map();
  for (const group of groups) {
    const repeat = state.folded && repeats.find(r => group.index >= r.start + r.period &&
                                                     group.index < r.start + r.period * r.count);
    if (repeat) {
      if (!stacks.has(repeat)) {
        stacks.set(repeat, boxes.length);
        boxes.push(makeStack(repeat));
      }
      boxOf.set(group.index, stacks.get(repeat));
    } else {
      boxOf.set(group.index, boxes.length);
      boxes.push(makeBox(group));
    }
  }
  nodes.filter(node => node.kind === 'result').forEach(portBox);
  const links = new Map();
  for (const edge of DATA.edges) {
    const end = number => boxOf.get(nodes[number].group >= 0 ? nodes[number].group : 'n' + number);
    const from = end(edge.producer), to = end(edge.consumer);
    if (from === undefined || to === undefined || from >= to)
      continue;
    const key = from + ',' + to;
    if (!links.has(key))
      links.set(key, {from, to, edges: []});
    links.get(key).edges.push(edge);
  }
  state.boxes = boxes;
  state.links = [...links.values()];
  for (const link of state.links)
    link.reason = (link.edges.find(edge => edge.reason) || {}).reason;
}

// ---- drawing

function drawBadges(kinds, right) {
  return kinds.map(
      (kind, i) =>
          h('g',
            {class: 'badge', transform: 'translate(' + (right - 20 * (kinds.length - i)) + ' 5)'},
            h('rect', {width: 16, height: 15, rx: 4}),
            h('text', {x: 8, y: 11, 'text-anchor': 'middle'}, kind[0].toUpperCase()),
            h('title', {}, 'fused: ' + kind)));
}

function drawGroup(box) {
  const group = box.group, parts = [];
  const badges = group.kinds.length * 20 + 10;
  parts.push(h('rect', {class: 'card', width: box.w, height: box.h, rx: 10}));
  parts.push(h('path', {
    class: 'head',
    d: 'M1 ' + HEAD + 'V10Q1 1 10 1H' + (box.w - 10) + 'Q' + (box.w - 1) + ' 1 ' + (box.w - 1) +
           ' 10V' + HEAD + 'Z'
  }));
  parts.push(
      h('text', {class: 'title', x: 12, y: 17},
        clip(group.kind + (group.members.length > 1 ? ' · ' + group.members.length + ' ops' : ''),
             Math.floor((box.w - badges) / 7))));
  parts.push(...drawBadges(group.kinds, box.w - 6));
  const y = i => HEAD + 15 + i * LINE;
  const count = box.lines.length;
  if (count > 1)
    parts.push(h('line', {class: 'wire', x1: 15, x2: 15, y1: y(0) - 4, y2: y(count - 1) - 4}));
  box.lines.forEach((source, i) => {
    const times = source.count > 1 ? ' ×' + source.count : '';
    parts.push(
        h('g', {class: 'op', style: '--kind:' + color(source.kind)},
          h('circle', {cx: 15, cy: y(i) - 4, r: 4}),
          h('text', {x: 26, y: y(i)},
            fitText(source.name, 11.5, box.w - 48 - measure(source.type + times, 10.5)),
            h('tspan', {class: 'shape'}, times)),
          h('text', {x: box.w - 11, y: y(i), 'text-anchor': 'end', class: 'shape'}, source.type)));
  });
  if (box.more)
    parts.push(h('g', {class: 'op'},
                 h('text', {x: 26, y: y(count), class: 'shape'}, 'and ' + box.more + ' more')));
  const foot = box.h - FOOT + 12;
  parts.push(h('text', {class: 'numbers', x: 12, y: foot},
               bytes(group.bytes_read) + ' in · ' + bytes(group.bytes_written) + ' out'),
             h('text', {class: 'numbers', x: box.w - 11, y: foot, 'text-anchor': 'end'},
               time(group.estimate_us)),
             h('rect', {
               class: 'bar',
               x: 10,
               y: box.h - 7,
               width: Math.max(2, (box.w - 20) * group.estimate_us / slowest),
               height: 3,
               rx: 1.5
             }),
             h('text', {class: 'large', x: box.w / 2, y: box.h / 2 + 12, 'text-anchor': 'middle'},
               group.kind));
  return parts;
}

function drawStack(box) {
  const card = d =>
      h('rect', {class: 'card', x: d, y: d, width: box.w - 10, height: box.h - 10, rx: 10});
  return [
    card(10), card(5), card(0), h('text', {class: 'title', x: 14, y: 26}, box.title),
    h('text', {class: 'numbers', x: 14, y: 45},
      plural(box.groups.length, 'launch').replace('launchs', 'launches') + ' · ' + time(box.us) +
          ' · click to unfold'),
    h('text', {class: 'large', x: box.w / 2, y: box.h / 2 + 8, 'text-anchor': 'middle'},
      '× ' + (box.repeat.count - 1) + ' more')
  ];
}

function drawPort(box) {
  return [
    h('rect', {class: 'card', width: box.w, height: box.h, rx: 21}),
    h('text', {class: 'title', x: box.w / 2, y: 18, 'text-anchor': 'middle'},
      clip(box.node.name, 36)),
    h('text', {class: 'numbers', x: box.w / 2, y: 33, 'text-anchor': 'middle'},
      box.node.kind + ' ' + box.node.type),
    h('text', {class: 'large', x: box.w / 2, y: 31, 'text-anchor': 'middle'},
      box.node.kind === 'input' ? 'in' : 'out')
  ];
}

function describeBox(box) {
  if (box.type === 'group')
    return box.group.name + ', ' + box.group.kind + ', ' + time(box.group.estimate_us);
  if (box.type === 'stack')
    return box.groups.length + ' launches folded';
  return box.node.kind + ' ' + box.node.name;
}

function drawFrames() {
  const frames = [];
  if (!state.folded)
    return frames;
  for (const repeat of repeats) {
    const byColumn = new Map();
    for (const box of state.boxes) {
      if (box.type === 'group' && box.group.index >= repeat.start &&
          box.group.index < repeat.start + repeat.period) {
        byColumn.set(box.column, (byColumn.get(box.column) || []).concat(box));
      }
    }
    let first = true;
    for (const boxes of byColumn.values()) {
      const x = Math.min(...boxes.map(b => b.x)) - 14, y = Math.min(...boxes.map(b => b.y)) - 24;
      const right = Math.max(...boxes.map(b => b.x + b.w)) + 14,
            bottom = Math.max(...boxes.map(b => b.y + b.h)) + 12;
      frames.push(h('g', {class: 'frame'},
                    h('rect', {x, y, width: right - x, height: bottom - y, rx: 14}),
                    h('text', {x: x + 12, y: y + 16}, first ? '× ' + repeat.count : '')));
      first = false;
    }
  }
  return frames;
}

function render() {
  collectBoxes();
  const stage = $('stage').getBoundingClientRect();
  Object.assign(
      state,
      {size: layoutGraph(state.boxes, state.links, stage.width / Math.max(1, stage.height))});
  const drawn = {group: drawGroup, stack: drawStack, port: drawPort};
  $('boxes').replaceChildren(...state.boxes.map((box, index) => {
    box.element = h('g', {
      class: 'box ' + box.type,
      transform: 'translate(' + box.x + ' ' + box.y + ')',
      style: '--kind:' + color(box.kind),
      role: 'button',
      'aria-label': describeBox(box),
      onclick: event => {
        event.stopPropagation();
        activate(box);
      },
      onpointerenter: event => {
        hover(box);
        showTip(event, tipOfBox(box));
      },
      onpointermove: moveTip,
      onpointerleave: () => {
        hover(null);
        hideTip();
      }
    },
                    drawn[box.type](box));
    box.index = index;
    return box.element;
  }));
  $('links').replaceChildren(...state.links.flatMap(link => {
    link.element = h('path', {class: 'link' + (link.reason ? ' kept' : ''), d: link.path});
    const hit = h('path', {
      class: 'hit',
      d: link.path,
      onclick: event => {
        event.stopPropagation();
        choose({link});
      },
      onpointerenter: event => {
        hoverLink(link);
        showTip(event, tipOfLink(link));
      },
      onpointermove: moveTip,
      onpointerleave: () => {
        hover(null);
        hideTip();
      }
    });
    return [link.element, hit];
  }));
  $('frames').replaceChildren(...drawFrames());
  $('fold').textContent =
      state.folded ? 'Unfold ' + plural(repeats.length, 'repeat') : 'Fold repeats';
  $('fold').hidden = repeats.length === 0;
}

// ---- what is near what

function mark(boxes, links) {
  const world = $('world');
  world.classList.toggle('dim', boxes.length > 0 || links.length > 0);
  for (const box of state.boxes)
    box.element.classList.toggle('on', boxes.includes(box));
  for (const link of state.links)
    link.element.classList.toggle('on', links.includes(link));
}

function neighbourhood(box) {
  const links = state.links.filter(link => link.from === box.index || link.to === box.index);
  const boxes = new Set([box]);
  for (const link of links)
    boxes.add(state.boxes[link.from]).add(state.boxes[link.to]);
  return [[...boxes], links];
}

function hover(box) {
  for (const other of state.boxes) {
    other.element.classList.toggle('twin',
                                   Boolean(box && box.group && other.group && other !== box &&
                                           other.group.key === box.group.key));
  }
  if (box)
    mark(...neighbourhood(box));
  else if (state.chosen && state.chosen.box)
    mark(...neighbourhood(state.chosen.box));
  else if (state.chosen && state.chosen.link)
    hoverLink(state.chosen.link);
  else if (state.only)
    markKind(state.only);
  else
    mark([], []);
}

const hoverLink = link => mark([state.boxes[link.from], state.boxes[link.to]], [link]);
const markKind = kind =>
    mark(state.boxes.filter(box => box.type === 'group' && box.kind === kind), []);
