/** SMS links fulfil no single orders, so the tests of every adapter do not fit them. */
export const conforming = undefined
