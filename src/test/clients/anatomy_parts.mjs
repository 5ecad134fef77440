// The visible parts of an anatomy.

import { page } from './visitor.mjs';

/** The parts of a picture. */
export const parts = (label) =>
  page.getByRole('slider', { name: label }).locator('rect.part').evaluateAll((all) => all.map(({ dataset, className }) => [Number(dataset.offset), Number(dataset.length), Number(dataset.count), className.baseVal.split(' ')[1]]));

/** The lines of the table of buffers, each with the field above. */
export const lines = () =>
  page.locator('table.buffers tbody tr').evaluateAll((rows) => {
    let field = null;
    let nulls = null;
    return rows.map((row) => {
      const isFirst = row.cells[0].tagName === 'TH';
      const cells = [...row.cells].map((cell) => cell.innerText.trim());
      if (isFirst) {
        field = cells.shift();
        nulls = cells.length === 8 ? cells.splice(6, 1)[0] : cells.splice(1, 1)[0];
      }
      return { field, nulls, cells };
    });
  });

/** Waits for the message with a title. */
export const shown = (title) => page.getByRole('heading', { name: title, exact: true }).waitFor();
/** The command that is shown. */
export const command = (within = '.message > .command') => page.locator(`${within} code`).textContent();
