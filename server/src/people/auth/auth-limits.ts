/** The length of a password, in UTF-16 units. */
export const passwordLength = { min: 10, max: 128 } as const

/** After ten wrong codes in a row no code of this person is taken for this time, from wherever it comes. */
export const secondFactorLockSeconds = 3_600
