/** The marks of the chart of a page, its axes and its legend. A browser evaluates it, so that it needs nothing from outside. */
export function marks() {
  const all = (selector) => [...document.querySelectorAll(`.picture > svg ${selector}`)];
  const numbers = (node, names) => names.map((name) => Number(node.getAttribute(name)));
  const colour = (node, name) => node.getAttribute(name) ?? node.parentElement.getAttribute(name);
  const place = (node) => /translate\(([-\d.e]+), ?([-\d.e]+)\)/.exec(node.getAttribute('transform') ?? '')?.slice(1).map(Number) ?? [0, 0];
  const ticks = (axis) => all(`[aria-label="${axis}-axis tick label"] text`).map((text) => [text.textContent, ...place(text)]);
  return {
    lines: all('[aria-label="line"] path').map((path) => [colour(path, 'stroke'), path.getAttribute('d')]),
    bars: all('[aria-label="rect"] rect').map((bar) => numbers(bar, ['x', 'y', 'width', 'height'])),
    fills: all('[aria-label="rect"] rect').map((bar) => colour(bar, 'fill')),
    points: all('.places circle').map((circle) => numbers(circle, ['cx', 'cy'])),
    legend: all('.series').map((entry) => [entry.querySelector('text').textContent, colour(entry.querySelector('rect'), 'fill')]),
    x: ticks('x'),
    y: ticks('y'),
    title: document.querySelector('.picture .title').textContent,
    note: document.querySelector('.chart .note').textContent,
  };
}
