/** The length of a password, in UTF-16 units. */
export const passwordLength = { min: 10, max: 128 } as const

/** So many codes of a person are looked at, until one is right. Back-up codes count, and codes that confirm a session. */
export const secondFactorTriesMax = 10

/** After the last of them no code of this person is taken for this time, from wherever it comes. */
export const secondFactorLockSeconds = 3_600
