/** SMS links fulfil no single orders, and have a conformance of their own. */
export const conforming = undefined
