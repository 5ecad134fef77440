// The statement to which the user has gone by a link of these pages. It runs without another click, which one of a stranger does
// not: no other site can write here.
// @ts-check

const ASKED = 'quiver.asked';

/** @param {string} sql */
export function noteAsked(sql) {
  try {
    sessionStorage.setItem(ASKED, sql);
  } catch {
    // The browser keeps nothing, in a frame for example.
  }
}

/**
 * Whether the user has gone to a statement, which is told once.
 *
 * @param {string} sql
 */
export function takeAsked(sql) {
  try {
    const asked = sessionStorage.getItem(ASKED);
    sessionStorage.removeItem(ASKED);
    return asked !== null && asked === sql;
  } catch {
    return false;
  }
}
