// Four tasks of people, from the list without datasets to a result that can be shown: by a mouse, or by keys alone. Each returns
// its result, its presses, and the elements whose focus could not be seen. With TASK_PICTURES, each step is saved there as
// a picture.

import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { marks } from './chart_marks.mjs';
import { another, clipboard, forgive, loaded, page, play, session, url } from './visitor.mjs';

const PICTURES = process.env.TASK_PICTURES;
const MOST_STOPS = 80;

/** The presses, choices and drops that the page saw. */
const presses = [];
/** Elements that had the focus while nothing showed that. */
const unseen = new Set();
let task;
let pictures = 0;

const link = (name, on = page) => on.getByRole('link', { name, exact: true });
const button = (name) => page.getByRole('button', { name, exact: true });

/** Lets the page tell of each use of a mouse, of each key that writes no text, and of each option that was chosen. */
async function watchPresses() {
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: 'tellPress' });
  session.on('Runtime.bindingCalled', ({ name, payload }) => name === 'tellPress' && presses.push(payload));
  await page.addInitScript(() => {
    // To open a list and to choose from it is one press.
    const isList = (target) => target instanceof HTMLSelectElement;
    const isCommand = ({ key, ctrlKey, altKey, metaKey }) => key !== 'Shift' && (key.length > 1 || ctrlKey || altKey || metaKey);
    const counts = {
      pointerdown: ({ target }) => !isList(target),
      keydown: (event) => !isList(event.target) && isCommand(event),
      change: ({ target }) => isList(target),
      drop: () => true,
    };
    for (const [type, isCounted] of Object.entries(counts)) {
      addEventListener(type, (event) => event.isTrusted && isCounted(event) && window.tellPress(`${type} ${event.key ?? ''}`.trim()), true);
    }
  });
}

/** Saves a picture of a step, if that is wanted. */
async function show(step) {
  if (PICTURES) {
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${task}-${++pictures}-${step}.png`) });
  }
}

const mouse = {
  press: (target) => target.click(),
  async choose(label, option) {
    await page.getByLabel(label, { exact: true }).click();
    await page.keyboard.type(option);
    await page.keyboard.press('Enter');
  },
  async give(...files) {
    const { x, y, width } = await page.locator('.drop').boundingBox();
    const place = { x: x + width / 2, y: y + 20, data: { items: [], files, dragOperationsMask: 1 } };
    for (const type of ['dragEnter', 'dragOver', 'drop']) {
      await session.send('Input.dispatchDragEvent', { type, ...place });
    }
  },
  /** A value of a column, in its header. */
  async filter(column, value) {
    const head = page.getByRole('columnheader').filter({ has: page.getByText(column, { exact: true }) });
    await head.locator('rect.area', { has: page.locator('title', { hasText: value }) }).click();
  },
  async run() {
    await button('Run').click();
  },
};

const keys = {
  async press(target) {
    await reach(target);
    await page.keyboard.press('Enter');
  },
  async choose(label, option) {
    const list = page.getByLabel(label, { exact: true });
    await reach(list);
    await page.keyboard.press('Home');
    while ((await list.locator('option:checked').textContent()) !== option) {
      const before = await list.inputValue();
      await page.keyboard.press('ArrowDown');
      if (before === (await list.inputValue())) {
        throw new Error(`Expected ${option} but found ${before} at ${label}`);
      }
    }
  },
  async give(...files) {
    // The browser is asked for it before keys are pressed.
    const chooser = page.waitForEvent('filechooser');
    await reach(page.locator('input[type=file]'));
    await page.keyboard.press('Enter');
    await (await chooser).setFiles(files);
  },
  async filter(column, value) {
    await page.keyboard.press('/');
    await page.keyboard.type(`${column} is ${value}`);
    await page.keyboard.press('Enter');
    await page.locator('.parts li').waitFor();
    // The service was asked first whether that is SQL.
    forgive();
  },
  async run() {
    await page.keyboard.press('Control+Enter');
  },
};

/** Goes on by Tab until an element has the focus, and looks at each on the way. */
async function reach(target) {
  const element = await target.elementHandle();
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    const { isReached, name } = await page.evaluate(look, element);
    if (name !== null) {
      unseen.add(name);
    }
    if (isReached) {
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Expected the focus at ${target} but found it elsewhere after ${MOST_STOPS} stops`);
}

/** Whether an element has the focus, and the one that has it if nothing shows that. */
function look(element) {
  const focused = document.activeElement;
  const active = document.getElementById(focused.getAttribute('aria-activedescendant') ?? '');
  const isShown = (each) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each);
    const { left, top, right, bottom } = each.getBoundingClientRect();
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0 && right > Math.max(0, left) && bottom > Math.max(0, top) && left < innerWidth && top < innerHeight;
  };
  const parts = [focused, focused.parentElement, active, focused.closest('.editor'), ...(focused.labels ?? [])];
  const isSeen = focused === document.body || parts.some((each) => each && isShown(each));
  return { isReached: focused === element, name: isSeen ? null : focused.outerHTML.slice(0, 120) };
}

/** Stores files that are given to the empty list. */
async function store(hand, ...files) {
  await page.goto(url);
  await button('Try an example').waitFor();
  await show('list');
  await hand.give(...files);
  for (const file of files) {
    await page.getByRole('group', { name: `How ${basename(file)} is read` }).locator('tbody tr').first().waitFor();
  }
  await show('preview');
  await hand.press(button(files.length > 1 ? `Upload all ${files.length}` : 'Upload'));
  if (files.length > 1) {
    await page.waitForFunction((count) => document.querySelectorAll('.uploads .text a').length === count, files.length);
  } else {
    await loaded(0, 0);
  }
  await show('stored');
}

/** Waits for a chart with some choices. */
async function drawn(choices = '', on = page) {
  await on.waitForFunction(
    (wanted) => decodeURIComponent(location.hash).includes(wanted) && document.querySelector('.chart:not([aria-busy]) .picture > svg'),
    choices,
  );
}

/** The chart of a dataset without any choice. */
async function chart(hand, file) {
  await store(hand, file);
  await hand.press(link('Chart'));
  await drawn('type=');
  await show('chart');
  return page.evaluate(marks);
}

const tasks = {
  /** The chart of a part of the rows by month and colour, and what its link shows to another person. */
  async share(hand, file, column, value, colour) {
    await store(hand, file);
    await page.waitForFunction(() => document.querySelector('.summary svg'));
    await hand.filter(column, value);
    await page.locator('.parts li').waitFor();
    await show('filter');
    await hand.press(link('Chart'));
    await drawn('type=');
    await show('chart');
    await hand.choose('Step', 'month');
    await drawn('unit=month');
    await hand.choose('Colour by', colour);
    await drawn(`colour=${colour}`);
    await show('month');
    await hand.press(button('Share'));
    const shared = await clipboard();
    await show('shared');
    const own = await page.evaluate(marks);
    const other = await another();
    await other.goto(shared);
    await drawn('', other);
    return { own, shared, other: await other.evaluate(marks) };
  },

  lines: chart,

  map: chart,

  /** The chart of two joined files, which becomes a dataset. */
  async join(hand, first, second, statement, name) {
    await store(hand, first, second);
    await hand.press(link('SQL'));
    await page.locator('.cm-content').waitFor();
    await page.keyboard.type(statement);
    await show('statement');
    await hand.run();
    await loaded(0, 0);
    await show('result');
    await hand.press(button('Chart'));
    await drawn('type=');
    await show('chart');
    const seen = await page.evaluate(marks);
    await hand.press(button('Save as dataset'));
    await page.keyboard.type(name);
    await hand.press(button('Save'));
    await page.getByText('Saved as').waitFor();
    await show('saved');
    return seen;
  },
};

/** Does a task in one of two ways. */
async function perform(hand, way, name, parameters) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await watchPresses();
  task = `${name}-${way}`;
  return { seen: await tasks[name](hand, ...parameters), presses, unseen: [...unseen] };
}

await play({
  mouse: (name, ...parameters) => perform(mouse, 'mouse', name, parameters),
  keys: (name, ...parameters) => perform(keys, 'keys', name, parameters),
});
