// A picture as a file: an SVG as it is, or a PNG of it.
// @ts-check

import { save } from '../lib/clipboard.js';

const SCALE = 2;

/**
 * The text of a picture.
 *
 * @param {SVGElement} picture
 */
function textOf(picture) {
  const copy = /** @type {SVGElement} */ (picture.cloneNode(true));
  copy.querySelectorAll('[aria-label=tip]').forEach((tip) => tip.remove());
  return new XMLSerializer().serializeToString(copy);
}

/**
 * A name of a file that has the words of a title.
 *
 * @param {string} title
 * @param {string} suffix
 */
function fileName(title, suffix) {
  const words = title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  return `${words.slice(0, 80) || 'chart'}.${suffix}`;
}

/**
 * @param {SVGElement} picture
 * @param {string} title
 */
export function saveSvg(picture, title) {
  save(new Blob([textOf(picture)], { type: 'image/svg+xml' }), fileName(title, 'svg'));
}

/**
 * Saves a picture with twice its pixels, for screens that have them.
 *
 * @param {SVGElement} picture
 * @param {string} title
 */
export async function savePng(picture, title) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(textOf(picture))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Number(picture.getAttribute('width')) * SCALE;
  canvas.height = Number(picture.getAttribute('height')) * SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  /** @type {Blob} */
  const blob = await new Promise((resolve, reject) =>
    canvas.toBlob((made) => (made ? resolve(made) : reject(new Error('Expected a picture but found nothing')))),
  );
  save(blob, fileName(title, 'png'));
}
