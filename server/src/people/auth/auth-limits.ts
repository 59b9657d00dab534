/** The length of a password, in UTF-16 units. */
export const passwordLength = { min: 10, max: 128 } as const

/** The most wrong codes in a row of one person. Back-up codes count, and codes that confirm a session. */
export const secondFactorTriesMax = 10

/** After the last of these tries, every code of the person is refused for this time, from all addresses. */
export const secondFactorLockSeconds = 3_600
