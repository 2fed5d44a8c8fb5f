// Layout: boxes in layers, straight flows, folded into columns. Knows nothing of
// the page. A box is {w, h, rank?}; a link is {from, to} with positions of boxes,
// from earlier boxes to later ones. Fills in box.x, box.y (top left) and
// link.path (an SVG path) and returns {width, height}.
'use strict';

const GAP_X = 28, GAP_Y = 44, LANE = 14, GUTTER = 90;

// The layer of each box: below all that it reads, and what reads nothing just
// above its first reader.
function assignLayers(boxes, links) {
  const layer = boxes.map(() => 0);
  const into = boxes.map(() => []), out = boxes.map(() => []);
  for (const link of links) {
    into[link.to].push(link.from);
    out[link.from].push(link.to);
  }
  for (let v = 0; v < boxes.length; ++v) {
    for (const u of into[v])
      layer[v] = Math.max(layer[v], layer[u] + 1);
  }
  for (let v = boxes.length - 1; v >= 0; --v) {
    if (out[v].length && into[v].length < out[v].length) {
      const first = Math.min(...out[v].map(u => layer[u]));
      if (into[v].length === 0 || out[v].length === 1)
        layer[v] = first - 1;
    }
  }
  const least = Math.min(0, ...layer);
  return layer.map(l => l - least);
}

// Cuts links into steps of one layer. All links from one box share their lane.
function makeSteps(boxes, links, layer) {
  const nodes = boxes.map((box, i) => ({box: i, w: box.w, layer: layer[i]}));
  const steps = new Map(); // "from,to" -> {from, to, count}
  const lanes = new Map(); // "box,layer" -> node
  const addStep = (from, to) => {
    const key = from + ',' + to;
    const step = steps.get(key) || {from, to, count: 0};
    ++step.count;
    steps.set(key, step);
  };
  for (const link of links) {
    link.chain = [link.from];
    for (let l = layer[link.from] + 1; l < layer[link.to]; ++l) {
      const key = link.from + ',' + l;
      if (!lanes.has(key)) {
        lanes.set(key, nodes.length);
        nodes.push({box: -1, w: LANE, layer: l});
      }
      link.chain.push(lanes.get(key));
    }
    link.chain.push(link.to);
    for (let i = 1; i < link.chain.length; ++i) {
      addStep(link.chain[i - 1], link.chain[i]);
    }
  }
  return {nodes, steps: [...steps.values()]};
}

function orderLayers(nodes, up, down) {
  const layers = [];
  nodes.forEach((node, i) => { (layers[node.layer] = layers[node.layer] || []).push(i); });
  for (let l = 0; l < layers.length; ++l)
    layers[l] = layers[l] || [];
  const place = () => layers.forEach(layer => layer.forEach((v, i) => { nodes[v].position = i; }));
  place();
  const sortBy = (layer, neighbours) => {
    const key = new Map();
    for (const v of layer) {
      const around = neighbours[v];
      let sum = 0;
      for (const u of around) {
        sum += (nodes[u].position + 0.5) / layers[nodes[u].layer].length;
      }
      key.set(v, around.length ? sum / around.length : (nodes[v].position + 0.5) / layer.length);
    }
    layer.sort((a, b) => key.get(a) - key.get(b) || nodes[a].position - nodes[b].position);
    layer.forEach((v, i) => { nodes[v].position = i; });
  };
  for (let sweep = 0; sweep < 10; ++sweep) {
    for (let l = 1; l < layers.length; ++l)
      sortBy(layers[l], up);
    for (let l = layers.length - 2; l >= 0; --l)
      sortBy(layers[l], down);
  }
  return layers;
}

// Whether a link between the layers must not be straight because it crosses a
// lane: lanes go before boxes. Marks "from,to" of such links.
function markCrossed(nodes, layers, up) {
  const crossed = new Set();
  const laneAbove = v => nodes[v].box < 0 ? up[v].find(u => nodes[u].box < 0) : undefined;
  for (let l = 1; l < layers.length; ++l) {
    let least = -1, from = 0;
    const layer = layers[l];
    layer.forEach((v, i) => {
      const lane = laneAbove(v);
      if (lane === undefined && i + 1 < layer.length)
        return;
      const most = lane === undefined ? Infinity : nodes[lane].position;
      for (; from <= i; ++from) {
        for (const u of up[layer[from]]) {
          const isLane = nodes[u].box < 0 && nodes[layer[from]].box < 0;
          if (!isLane && (nodes[u].position < least || nodes[u].position > most))
            crossed.add(u + ',' + layer[from]);
        }
      }
      least = most;
    });
  }
  return crossed;
}

// Gathers nodes into straight blocks, each with the median of its neighbours in
// the layer before. Returns the block of each node.
function alignBlocks(nodes, layers, before, crossed) {
  const block = nodes.map((node, v) => v), position = [];
  for (const layer of layers)
    layer.forEach((v, i) => { position[v] = i; });
  for (const layer of layers) {
    let last = -1;
    for (const v of layer) {
      const around = before[v].slice().sort((a, b) => position[a] - position[b]);
      const middle = (around.length - 1) / 2;
      for (const m of around.length ? [...new Set([Math.floor(middle), Math.ceil(middle)])] : []) {
        const u = around[m];
        if (block[v] === v && position[u] > last && !crossed.has(u + ',' + v) &&
            !crossed.has(v + ',' + u)) {
          block[v] = block[u];
          last = position[u];
        }
      }
    }
  }
  return block;
}

// Places the blocks as far left as they go, then each as near to its right
// neighbours as it can be without being pushed.
function compactBlocks(nodes, layers, block) {
  const after = new Map(), degree = new Map();
  nodes.forEach((node, v) => {
    after.set(block[v], []);
    degree.set(block[v], 0);
  });
  for (const layer of layers) {
    for (let i = 1; i < layer.length; ++i) {
      const gap = (nodes[layer[i - 1]].w + nodes[layer[i]].w) / 2 + GAP_X;
      after.get(block[layer[i - 1]]).push([block[layer[i]], gap]);
      degree.set(block[layer[i]], degree.get(block[layer[i]]) + 1);
    }
  }
  const x = new Map(), order = [...degree.keys()].filter(b => degree.get(b) === 0);
  for (const b of order)
    x.set(b, 0);
  for (let i = 0; i < order.length; ++i) {
    for (const [next, gap] of after.get(order[i])) {
      x.set(next, Math.max(x.has(next) ? x.get(next) : -Infinity, x.get(order[i]) + gap));
      degree.set(next, degree.get(next) - 1);
      if (degree.get(next) === 0)
        order.push(next);
    }
  }
  for (const b of order.reverse()) {
    const limit = Math.min(...after.get(b).map(([next, gap]) => x.get(next) - gap));
    if (limit < Infinity && limit > x.get(b))
      x.set(b, limit);
  }
  return nodes.map((node, v) => x.get(block[v]));
}

// The centre of each node of one column: the median of four placements, from
// above and below, leftmost and rightmost (after Brandes and Koepf).
function assignX(nodes, layers, up, down) {
  const crossed = markCrossed(nodes, layers, up);
  const inside = layers.flat();
  const local = new Map(inside.map((v, i) => [v, i]));
  const part = inside.map(v => nodes[v]);
  const translate = list =>
      inside.map(v => list[v].filter(u => local.has(u)).map(u => local.get(u)));
  const localCrossed =
      new Set([...crossed].map(key => key.split(',').map(v => local.get(+v)).join(',')));
  const placements = [];
  for (const fromBelow of [false, true]) {
    for (const mirrored of [false, true]) {
      let order = layers.map(layer => layer.map(v => local.get(v)));
      if (fromBelow)
        order = order.reverse();
      if (mirrored)
        order = order.map(layer => layer.slice().reverse());
      const block = alignBlocks(part, order, translate(fromBelow ? down : up), localCrossed);
      const x = compactBlocks(part, order, block);
      placements.push(mirrored ? x.map(value => -value) : x);
    }
  }
  const spans = placements.map(x => {
    const left = Math.min(...x.map((value, i) => value - part[i].w / 2));
    const right = Math.max(...x.map((value, i) => value + part[i].w / 2));
    return {left, right, width: right - left};
  });
  const best = spans.reduce((a, b) => b.width < a.width ? b : a);
  placements.forEach((x, k) => {
    const shift = k % 2 ? best.right - spans[k].right : best.left - spans[k].left;
    x.forEach((value, i) => { x[i] = value + shift; });
  });
  part.forEach((node, i) => {
    const four = placements.map(x => x[i]).sort((a, b) => a - b);
    node.x = (four[1] + four[2]) / 2;
  });
}

// Folds the layers into columns, like text in a newspaper, so that the whole is
// about `aspect` times as wide as high. Breaks where few links cross.
function foldColumns(layers, nodes, heights, aspect) {
  const widths = layers.map(layer => layer.reduce((sum, v) => sum + nodes[v].w + GAP_X, 0));
  const total = heights.reduce((a, b) => a + b + GAP_Y, 0);
  const width =
      widths.slice().sort((a, b) => a - b)[Math.floor(widths.length * 0.85)] * 1.2 + GUTTER;
  const columns = Math.max(1, Math.round(Math.sqrt(aspect * total / width)));
  const ideal = total / columns;
  const breaks = [0];
  let y = 0, best = null;
  for (let l = 0; l < layers.length; ++l) {
    const filled = y / ideal;
    if (l > 0 && filled > 0.8 && breaks.length < columns) {
      const cost = layers[l].length + Math.abs(filled - 1) * 6;
      if (!best || cost < best.cost)
        best = {cost, l};
      if (filled > 1.15) {
        breaks.push(best.l);
        y = 0;
        for (let k = best.l; k < l; ++k)
          y += heights[k] + GAP_Y;
        best = null;
      }
    }
    y += heights[l] + GAP_Y;
  }
  return breaks;
}

function pathThrough(points) {
  let path = 'M' + points[0].x + ' ' + points[0].y;
  for (let i = 1; i < points.length; ++i) {
    const a = points[i - 1], b = points[i];
    if (a.column === b.column) {
      const bend = Math.max(14, (b.y - a.y) / 2);
      path += Math.abs(a.x - b.x) < 0.5 ? ' L' + b.x + ' ' + b.y
                                        : ' C' + a.x + ' ' + (a.y + bend) + ' ' + b.x + ' ' +
                                              (b.y - bend) + ' ' + b.x + ' ' + b.y;
    } else {
      // Down, round into the gutter, up it, and round into the next column.
      const g = a.gutter, r = 22, low = a.floor + r, high = b.ceiling - r;
      path += ' L' + a.x + ' ' + (low - r) + ' Q' + a.x + ' ' + low + ' ' +
              (a.x + Math.sign(g - a.x) * r) + ' ' + low + ' L' + (g - r) + ' ' + low + ' Q' + g +
              ' ' + low + ' ' + g + ' ' + (low - r) + ' L' + g + ' ' + (high + r) + ' Q' + g + ' ' +
              high + ' ' + (g + r) + ' ' + high + ' L' + (b.x - Math.sign(b.x - g) * r) + ' ' +
              high + ' Q' + b.x + ' ' + high + ' ' + b.x + ' ' + (high + r) + ' L' + b.x + ' ' +
              b.y;
    }
  }
  return path;
}

function layoutGraph(boxes, links, aspect) {
  if (!boxes.length)
    return {width: 1, height: 1};
  const layer = assignLayers(boxes, links);
  const {nodes, steps} = makeSteps(boxes, links, layer);
  const up = nodes.map(() => []), down = nodes.map(() => []);
  for (const step of steps) {
    up[step.to].push(step.from);
    down[step.from].push(step.to);
  }
  const layers = orderLayers(nodes, up, down);
  const heights =
      layers.map(l => Math.max(0, ...l.map(v => nodes[v].box < 0 ? 0 : boxes[nodes[v].box].h)));
  const breaks = foldColumns(layers, nodes, heights, aspect);

  let left = 0, bottom = 0;
  breaks.forEach((from, column) => {
    const to = column + 1 < breaks.length ? breaks[column + 1] : layers.length;
    assignX(nodes, layers.slice(from, to), up, down);
    const inside = layers.slice(from, to).flat();
    const least = Math.min(...inside.map(v => nodes[v].x - nodes[v].w / 2));
    const most = Math.max(...inside.map(v => nodes[v].x + nodes[v].w / 2));
    let y = 0;
    for (let l = from; l < to; ++l) {
      for (const v of layers[l]) {
        const node = nodes[v];
        node.x += left - least;
        node.column = column;
        node.gutter = left + most - least + GUTTER / 2;
        node.top = y;
        node.bottom = y + heights[l];
        if (node.box >= 0) {
          const box = boxes[node.box];
          box.x = node.x - box.w / 2;
          box.y = y + (heights[l] - box.h) / 2;
          box.layer = l;
          box.column = column;
          node.top = box.y;
          node.bottom = box.y + box.h;
        }
      }
      y += heights[l] + GAP_Y;
    }
    for (let l = from; l < to; ++l) {
      for (const v of layers[l])
        nodes[v].floor = y - GAP_Y;
    }
    bottom = Math.max(bottom, y - GAP_Y);
    left += most - least + GUTTER;
  });
  for (const link of links) {
    const points = [];
    link.chain.forEach((v, i) => {
      const node = nodes[v];
      const point = y =>
          ({x: node.x, y, column: node.column, floor: node.floor, gutter: node.gutter, ceiling: 0});
      if (i > 0)
        points.push(point(node.top));
      if (i + 1 < link.chain.length)
        points.push(point(node.bottom));
    });
    link.path = pathThrough(points);
    link.middle = points[Math.floor((points.length - 1) / 2)];
  }
  return {width: left - GUTTER, height: bottom};
}

// Runs of equal keys that repeat one after the other, the longest gain first
// come: returns [{start, period, count}], which do not overlap.
function findRepeats(keys, longest) {
  const repeats = [];
  let i = 0;
  while (i < keys.length) {
    let best = null;
    for (let p = 1; p <= longest && i + 2 * p <= keys.length; ++p) {
      let same = 0;
      while (i + p + same < keys.length && keys[i + same] === keys[i + p + same]) {
        ++same;
      }
      const count = Math.floor(same / p) + 1;
      const gain = (count - 1) * p;
      if (count >= 2 && (!best || gain > best.gain)) {
        best = {start: i, period: p, count, gain};
      }
    }
    if (best && best.gain >= 3) {
      repeats.push(best);
      i += best.period * best.count;
    } else {
      ++i;
    }
  }
  return repeats;
}
