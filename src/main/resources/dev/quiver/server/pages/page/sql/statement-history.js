// The statements that were run in this browser. They stay in it.

const KEPT = 'quiver.statements';
const MOST_STATEMENTS = 50;
const MOST_CHARACTERS = 200_000;

/** The statements, the latest first, each with the time when it ran. */
export function statements() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
    return Array.isArray(found) ? found.filter(({ sql }) => typeof sql === 'string') : [];
  } catch {
    return [];
  }
}

/** Keeps a statement that runs now. The oldest ones go once there are too many, or they are too long. */
export function keep(sql) {
  const all = [{ sql, at: Date.now() }, ...statements().filter((each) => each.sql !== sql)].slice(0, MOST_STATEMENTS);
  let characters = 0;
  const kept = all.filter((each) => (characters += each.sql.length) <= MOST_CHARACTERS);
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // The browser keeps nothing, or has no room. The statement runs all the same.
  }
}

export function forgetAll() {
  localStorage.removeItem(KEPT);
}
