// The page of the API, whose library has a dark scheme of its own.
// @ts-check

import { isDark, whenColoursChange } from './colours.js';

const follow = () => document.documentElement.classList.toggle('dark-mode', isDark());

whenColoursChange(follow);
follow();
