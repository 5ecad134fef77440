// The names of keys, as they are printed on the keyboard of the user.
// @ts-check

/** @type {Navigator & { userAgentData?: { platform: string } }} */
const { userAgentData, platform } = navigator;

/** Whether the keyboard has a ⌘ key in place of Ctrl. */
export const isMac = /mac|iphone|ipad/i.test(userAgentData?.platform || platform);

/**
 * Returns a sentence about keys for this keyboard.
 *
 * @param {string} text with `Ctrl` for the key that is ⌘ on a Mac
 */
export const keys = (text) => (isMac ? text.replaceAll('Ctrl', '⌘') : text);
