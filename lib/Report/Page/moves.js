// Choosing, moving about, keys, the frame around the graph; starts the page.
'use strict';

// ---- choosing and moving

function choose(chosen) {
  state.chosen = chosen;
  for (const box of state.boxes)
    box.element.classList.toggle('chosen', Boolean(chosen && chosen.box === box));
  hover(null);
  showDetails();
}

function activate(box) {
  if (box.type === 'stack')
    return setFolded(false, box.groups[0]);
  choose({box});
}

function setFolded(folded, goTo) {
  state.folded = folded;
  state.chosen = null;
  render();
  fit();
  showDetails();
  if (goTo)
    goToGroup(goTo);
}

function goToGroup(group) {
  let box = state.boxes.find(b => b.group === group);
  if (!box) {
    state.folded = false;
    render();
    box = state.boxes.find(b => b.group === group);
  }
  choose({box});
  center(box);
}

function goToPair(pair) {
  const edge = DATA.edges.find(e => nodes[e.producer].name === pair.producer &&
                                    nodes[e.consumer].name === pair.consumer &&
                                    nodes[e.producer].group !== nodes[e.consumer].group);
  const has = e => state.links.find(link => link.edges.includes(e));
  if (!edge) {
    const node = nodes.find(n => n.name === pair.consumer && n.group >= 0);
    return node && goToGroup(groups[node.group]);
  }
  let link = has(edge);
  if (!link || state.boxes[link.from].type === 'stack' || state.boxes[link.to].type === 'stack') {
    if (state.folded) {
      state.folded = false;
      render();
      link = has(edge);
    }
  }
  if (!link)
    return;
  choose({link});
  const from = state.boxes[link.from], to = state.boxes[link.to];
  center(Math.abs(from.y - to.y) > 700 || from.column !== to.column ? to : {
    x: (from.x + to.x) / 2,
    y: (from.y + to.y) / 2,
    w: (from.w + to.w) / 2,
    h: (from.h + to.h) / 2
  });
}

function place() {
  $('world').setAttribute('transform',
                          'translate(' + state.x + ' ' + state.y + ') scale(' + state.scale + ')');
  $('world').classList.toggle('far', state.scale < 0.36);
  drawMap();
}

function zoom(factor, x, y) {
  const stage = $('stage').getBoundingClientRect();
  if (x === undefined) {
    x = stage.width / 2;
    y = stage.height / 2;
  }
  const scale = Math.min(3, Math.max(0.02, state.scale * factor));
  state.x = x - (x - state.x) * scale / state.scale;
  state.y = y - (y - state.y) * scale / state.scale;
  state.scale = scale;
  place();
}

function fit() {
  const stage = $('stage').getBoundingClientRect(), pad = 34, foot = 46, right = 20;
  state.scale = Math.min(1.15, (stage.width - 2 * pad - right) / state.size.width,
                         (stage.height - 2 * pad - foot) / state.size.height);
  state.x = (stage.width - right - state.size.width * state.scale) / 2;
  state.y =
      pad + Math.max(0, (stage.height - 2 * pad - foot - state.size.height * state.scale) / 2);
  place();
}

function center(box) {
  const stage = $('stage').getBoundingClientRect();
  state.scale = Math.max(state.scale, 0.85);
  state.x = stage.width / 2 - (box.x + box.w / 2) * state.scale;
  state.y = stage.height / 2 - (box.y + box.h / 2) * state.scale;
  place();
}

const mapScale = () => Math.min(212 / state.size.width, 142 / state.size.height);

function drawMap() {
  const whole = $('stage').getBoundingClientRect();
  // Where everything is in sight there is nothing to say.
  const fits = state.x >= 0 && state.y >= 0 &&
               state.x + state.size.width * state.scale <= whole.width &&
               state.y + state.size.height * state.scale <= whole.height;
  $('map').style.visibility = fits ? 'hidden' : 'visible';
  const map = $('map'), ratio = window.devicePixelRatio || 1, s = mapScale(),
        stage = $('stage').getBoundingClientRect();
  map.width = 220 * ratio;
  map.height = 150 * ratio;
  const pen = map.getContext('2d'), style = getComputedStyle(document.documentElement);
  pen.scale(ratio, ratio);
  pen.translate(110 - state.size.width * s / 2, 75 - state.size.height * s / 2);
  for (const box of state.boxes) {
    pen.fillStyle = style.getPropertyValue('--' + (box.type === 'group' ? box.kind : 'line'));
    pen.fillRect(box.x * s, box.y * s, Math.max(1, box.w * s), Math.max(1, box.h * s));
  }
  pen.strokeStyle = style.getPropertyValue('--accent');
  pen.lineWidth = 1.5;
  pen.strokeRect(-state.x / state.scale * s, -state.y / state.scale * s,
                 stage.width / state.scale * s, stage.height / state.scale * s);
}

function walk(key) {
  const box = state.chosen && state.chosen.box;
  if (!box)
    return state.boxes.length && (choose({box: state.boxes[0]}), center(state.boxes[0]));
  let next;
  if (key === 'ArrowDown')
    next = state.links.filter(l => l.from === box.index).map(l => state.boxes[l.to])[0];
  else if (key === 'ArrowUp')
    next = state.links.filter(l => l.to === box.index).map(l => state.boxes[l.from]).pop();
  else {
    const peers = state.boxes.filter(b => b.layer === box.layer).sort((a, b) => a.x - b.x);
    next = peers[peers.indexOf(box) + (key === 'ArrowRight' ? 1 : -1)];
  }
  if (next) {
    choose({box: next});
    center(next);
  }
}

const KEYS = [
  ['↑ ↓', 'along the graph'], ['← →', 'beside each other'],
  ['+ −', 'nearer, farther (or the wheel)'], ['f', 'everything'], ['/', 'search'],
  ['r', 'fold what repeats'], ['t', 'light or dark'], ['Esc', 'choose nothing']
];

function onKey(event) {
  if (event.target === $('search')) {
    if (event.key === 'Escape')
      $('stage').focus();
    return;
  }
  const actions = {
    '+': () => zoom(1.25),
    '=': () => zoom(1.25),
    '-': () => zoom(0.8),
    f: fit,
    '/': () => $('search').focus(),
    r: () => repeats.length && setFolded(!state.folded),
    t: flipTheme,
    '?': flipKeys,
    Escape: () => {
      state.only = null;
      choose(null);
    }
  };
  const action = event.key.startsWith('Arrow') ? () => walk(event.key) : actions[event.key];
  if (action && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    action();
  }
}

function flipTheme() {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  drawMap();
}

const flipKeys = () => { $('keys').hidden = !$('keys').hidden; };

// ---- the frame around it

function number(title, before, after, show) {
  const saved = before > 0 ? 1 - after / before : 0;
  return h(
      'div', {
        class: 'number',
        title: title + ': ' + show(before) + ' one by one, ' + show(after) + ' fused'
      },
      h('span', {}, title),
      h('em', {},
        (Math.round(100 * saved) === 0 ? ''
         : saved > 0                   ? '−'
                                       : '+') +
            Math.abs(100 * saved).toFixed(0) + ' %'),
      h('div', {}, h('i', {}, show(before) + ' → '), show(after)),
      h('u', {},
        h('b', {style: 'width:' + Math.min(100, 100 * (before > 0 ? after / before : 1)) + '%'})));
}

function drawLegend() {
  const present = KINDS.filter(kind => groups.some(group => group.kind === kind));
  const line = kept => h('svg', {width: 26, height: 8},
                         h('path', {class: 'link' + (kept ? ' kept' : ''), d: 'M0 4H24'}));
  $('legend').replaceChildren(
      ...present.map(
          kind => h('button', {
            style: '--kind:' + color(kind),
            class: state.only === kind ? 'on' : '',
            onclick: () => {
              state.only = state.only === kind ? null : kind;
              choose(null);
              drawLegend();
            }
          },
                    h('i', {}), kind,
                    h('small', {}, String(groups.filter(group => group.kind === kind).length)))),
      h('button', {
        onclick: () => {
          state.tab = 'kept';
          showList();
        }
      },
        line(true), 'not fused, with a reason'));
}

function listen() {
  const canvas = $('canvas');
  let grip = null;
  canvas.addEventListener(
      'pointerdown',
      event => { grip = {x: event.clientX - state.x, y: event.clientY - state.y, moved: false}; });
  window.addEventListener('pointermove', event => {
    if (!grip)
      return;
    const x = event.clientX - grip.x, y = event.clientY - grip.y;
    if (!grip.moved && Math.hypot(x - state.x, y - state.y) < 4)
      return;
    grip.moved = true;
    canvas.classList.add('dragging');
    Object.assign(state, {x, y});
    hideTip();
    place();
  });
  window.addEventListener('pointerup', () => {
    setTimeout(() => {
      grip = null;
      canvas.classList.remove('dragging');
    });
  });
  canvas.addEventListener('click', () => {
    if (!grip || !grip.moved) {
      state.only = null;
      choose(null);
      drawLegend();
    }
  }, false);
  canvas.addEventListener('wheel', event => {
    event.preventDefault();
    const stage = $('stage').getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * 0.0016), event.clientX - stage.left, event.clientY - stage.top);
  }, {passive: false});
  $('map').addEventListener('pointerdown', event => {
    const s = mapScale(), stage = $('stage').getBoundingClientRect();
    const x = (event.offsetX - 110) / s + state.size.width / 2,
          y = (event.offsetY - 75) / s + state.size.height / 2;
    state.x = stage.width / 2 - x * state.scale;
    state.y = stage.height / 2 - y * state.scale;
    place();
  });
  document.addEventListener('keydown', onKey);
  window.addEventListener('resize', () => {
    const group = state.chosen && state.chosen.box && state.chosen.box.group;
    render();
    fit();
    if (group)
      goToGroup(group);
    else
      choose(null);
  });
  $('search').addEventListener('input', showList);
  for (const button of document.querySelectorAll('nav button'))
    button.addEventListener('click', () => {
      state.tab = button.dataset.tab;
      showList();
    });
  const clicks = {in: () => zoom(1.25), out: () => zoom(0.8), fit, theme: flipTheme, help: flipKeys, fold: () => setFolded(!state.folded)};
  for (const [id, action] of Object.entries(clicks))
    $(id).addEventListener('click', action);
}

function start() {
  const dark =
      window.matchMedia('(prefers-color-scheme: dark)').matches || location.hash === '#dark';
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  const name = DATA.model.split('/').pop();
  document.title = name + ' · Fusion';
  $('model').textContent = name;
  $('subtitle').textContent = 'for ' + DATA.target + ' · ' +
                              plural(nodes.filter(node => node.group >= 0).length, 'operation') +
                              ' in ' + plural(groups.length, 'kernel');
  $('headline')
      .append(number('Launches', DATA.launches_before, DATA.launches_after, String),
              number('Bytes moved', DATA.bytes_before, DATA.bytes_after, bytes),
              number('Estimated time', DATA.estimate_us_before, DATA.estimate_us_after, time));
  $('kept-count').textContent = DATA.not_fused.length;
  $('kernel-count').textContent = twins.size;
  $('keys').append(...KEYS.map(([key, what]) => h('div', {}, h('kbd', {}, key), what)));
  drawLegend();
  listen();
  render();
  fit();
  showDetails();
  showList();
  const group = /^#group-(\d+)$/.exec(location.hash);
  if (group && groups[group[1]])
    goToGroup(groups[group[1]]);
}
start();
