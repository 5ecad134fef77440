// Runs the jobs of reading.mjs on a page.

import * as flechette from '/flechette.mjs';
import { outcome } from '/reading.mjs';

const libraries = { arrow: window.Arrow, flechette };
window.outcome = (job) => outcome(libraries, job);
