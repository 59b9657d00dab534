/**
 * Replaces characters that could control the terminal or begin a new line: callers of the API and suppliers choose such
 * texts.
 */
export const printable = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
