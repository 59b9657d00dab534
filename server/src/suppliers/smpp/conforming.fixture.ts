/** SMS links fulfil no single orders, so they have their own conformance tests. */
export const conforming = undefined
