/**
 * Whoever calls the API chooses references and names: what a terminal would obey, or would show as another line, is made
 * visible.
 */
export const inert = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
