// Tooltips and the side panel.
'use strict';

// ---- tooltips

function tipOfBox(box) {
  if (box.type === 'port')
    return [
      h('h3', {}, box.node.name),
      h('div', {class: 'soft'}, box.node.kind + ' ' + box.node.type + ', ' + bytes(box.node.bytes))
    ];
  if (box.type === 'stack')
    return [
      h('h3', {}, plural(box.repeat.count - 1, 'more layer')),
      h('div', {}, box.groups.length + ' launches, ' + time(box.us) + '. Click to unfold.')
    ];
  const group = box.group, same = twins.get(group.key).length;
  return [
    h('h3', {}, clip(group.name, 120)),
    h('div', {},
      plural(group.launches_before, 'launch').replace('launchs', 'launches') + ' became one' +
          (group.kinds.length ? ' (' + group.kinds.join(', ') + ')' : '')),
    h('div', {},
      bytes(group.bytes_before) + ' became ' + bytes(group.bytes_read + group.bytes_written)),
    h('div', {},
      time(group.estimate_us_before) + ' became ' + time(group.estimate_us) + ', bound by ' +
          group.bound),
    same > 1 ? h('div', {class: 'soft'}, 'the same kernel is launched ' + same + ' times') : null
  ];
}

function describeTimes(times) {
  return times && times.fused_us !== undefined
             ? h('div', {class: 'soft'},
                 'estimated ' + time(times.fused_us) + ' fused, ' + time(times.apart_us) + ' apart')
             : null;
}

function tipOfLink(link) {
  const shown = [];
  for (const edge of link.edges.slice(0, 4)) {
    shown.push(h('h3', {},
                 clip(nodes[edge.producer].name, 50) + ' → ' + clip(nodes[edge.consumer].name, 50)),
               h('div', {class: 'soft'}, edge.type + ', ' + bytes(edge.bytes)),
               edge.reason ? h('div', {class: 'reason'}, 'not fused: ' + edge.reason) : null,
               describeTimes(edge));
  }
  if (link.edges.length > 4)
    shown.push(h('div', {class: 'soft'}, 'and ' + (link.edges.length - 4) + ' more'));
  return shown;
}

function showTip(event, content) {
  $('tip').replaceChildren(...content.filter(Boolean));
  $('tip').classList.add('on');
  moveTip(event);
}

function moveTip(event) {
  const stage = $('stage').getBoundingClientRect(), tip = $('tip');
  const x = event.clientX - stage.left, y = event.clientY - stage.top;
  tip.style.left = Math.max(8, Math.min(x + 16, stage.width - tip.offsetWidth - 8)) + 'px';
  tip.style.top =
      (y + 18 + tip.offsetHeight > stage.height ? Math.max(8, y - tip.offsetHeight - 12) : y + 18) +
      'px';
}

const hideTip = () => $('tip').classList.remove('on');

// ---- the side panel

const row = (name, value) => value === null || value === undefined || value === ''
                                 ? null
                                 : h('tr', {}, h('td', {}, name), h('td', {}, String(value)));

function detailsOfGroup(group) {
  const same = twins.get(group.key).length;
  const table = h('table', {}, [
    row('launch', (group.index + 1) + ' of ' + groups.length),
    row('fused', group.kinds.join(', ') || 'one operation alone'),
    row('kernel',
        group.function && group.function + (same > 1 ? ', launched ' + same + ' times' : '')),
    row('launches', group.launches_before + ' → 1'), row('reads', bytes(group.bytes_read)),
    row('writes', bytes(group.bytes_written)), row('bytes before', bytes(group.bytes_before)),
    row('work', flops(group.flops)),
    row('estimate', time(group.estimate_us) + ' (' + time(group.estimate_us_before) +
                        ' before), bound by ' + group.bound),
    row('schedule', group.schedule), row('registers', group.registers),
    row('spilled', group.spill_bytes === null ? null : bytes(group.spill_bytes)),
    row('shared memory', group.shared_bytes === null ? null : bytes(group.shared_bytes))
  ]);
  const ops =
      h('ol', {},
        group.sources.map(
            source => h('li', {}, source.name + (source.count > 1 ? ' ×' + source.count : '') + ' ',
                        h('span', {class: 'soft'}, source.kind + ' ' + source.type))));
  const around =
      DATA.edges.filter(edge => edge.reason && (nodes[edge.producer].group === group.index ||
                                                nodes[edge.consumer].group === group.index));
  const reasons =
      around.map(edge => h('div', {},
                           h('span', {class: 'soft'},
                             nodes[edge.producer].name + ' → ' + nodes[edge.consumer].name + ': '),
                           h('span', {class: 'reason'}, edge.reason), describeTimes(edge)));
  const inside = DATA.edges.filter(edge => edge.fused_us !== undefined &&
                                           nodes[edge.producer].group === group.index &&
                                           nodes[edge.consumer].group === group.index);
  const fused =
      inside.map(edge => h('div', {},
                           h('span', {class: 'soft'},
                             nodes[edge.producer].name + ' → ' + nodes[edge.consumer].name + ': '),
                           describeTimes(edge)));
  return [h('h3', {}, group.name), table, ops, ...fused, ...reasons];
}

function overview() {
  const byKind = KINDS.map(kind => ({kind, all: groups.filter(group => group.kind === kind)}))
                     .filter(entry => entry.all.length);
  const sum = list => list.reduce((total, group) => total + group.estimate_us, 0);
  return [
    h('h3', {}, 'Where the time goes'),
    h('table', {},
      byKind.sort((a, b) => sum(b.all) - sum(a.all))
          .map(({kind, all}) =>
                   row(kind, all.length + (all.length === 1 ? ' kernel, ' : ' kernels, ') +
                                 time(sum(all)) + ', ' +
                                 Math.round(100 * sum(all) / Math.max(1e-9, sum(groups))) + ' %'))),
    h('p', {class: 'soft'},
      (DATA.note ? DATA.note + '. ' : '') + 'Hover or click a box or a line; ? shows the keys.')
  ];
}

function showDetails() {
  const chosen = state.chosen;
  let content = overview();
  if (chosen && chosen.link)
    content = tipOfLink(chosen.link);
  else if (chosen && chosen.box)
    content = chosen.box.type === 'group' ? detailsOfGroup(chosen.box.group) : tipOfBox(chosen.box);
  $('details').replaceChildren(...content.filter(Boolean));
  $('details').scrollTop = 0;
}

function showList() {
  const wanted = $('search').value.trim().toLowerCase();
  for (const button of document.querySelectorAll('nav button'))
    button.classList.toggle('on', button.dataset.tab === state.tab);
  $('list').replaceChildren(...(state.tab === 'kept' ? listKept(wanted) : listKernels(wanted)));
}

function listKept(wanted) {
  const byReason = new Map();
  for (const pair of DATA.not_fused) {
    const text = (pair.producer + ' ' + pair.consumer + ' ' + pair.reason).toLowerCase();
    if (wanted && !text.includes(wanted))
      continue;
    const reason = pair.reason.replace(/\d+(\.\d+)? us/g, '… us');
    byReason.set(reason, (byReason.get(reason) || []).concat(pair));
  }
  const entries = [...byReason.entries()].sort((a, b) => b[1].length - a[1].length);
  if (!entries.length)
    return [h('p', {class: 'soft'},
              DATA.not_fused.length ? 'Nothing matches.'
                                    : 'Everything that was asked about is fused.')];
  return entries.map(([reason, pairs]) => h(
                         'details', {class: 'group', open: Boolean(wanted) || entries.length === 1},
                         h('summary', {}, h('b', {}, String(pairs.length)), h('span', {}, reason)),
                         pairs.slice(0, 400).map(pair => h('a', {onclick: () => goToPair(pair)},
                                                           pair.producer + ' → ' + pair.consumer,
                                                           describeTimes(pair)))));
}

function listKernels(wanted) {
  const kernels = [...twins.values()].map(
      all => ({first: all[0], all, us: all.reduce((sum, group) => sum + group.estimate_us, 0)}));
  const most = Math.max(1e-9, ...kernels.map(kernel => kernel.us));
  return kernels
      .filter(({all}) => !wanted || all.some(group => group.name.toLowerCase().includes(wanted) ||
                                                      group.kind.includes(wanted)))
      .sort((a, b) => b.us - a.us)
      .map(
          ({first, all, us}) => h(
              'div',
              {class: 'row', style: '--kind:' + color(first.kind), onclick: () => goToGroup(first)},
              h('div', {class: 'top'}, h('b', {}, clip(first.name, 60)), h('span', {}, time(us))),
              h('div', {class: 'soft'},
                first.kind +
                    (all.length > 1 ? ' · ' + all.length + ' launches of ' + time(first.estimate_us)
                                    : '') +
                    ' · ' + first.launches_before + ' → 1 · bound by ' + first.bound),
              h('u', {style: 'width:' + (100 * us / most) + '%'})));
}
