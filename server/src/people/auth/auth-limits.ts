/** The length of a password, in UTF-16 units. */
export const passwordLength = { min: 10, max: 128 } as const

/** The maximum number of wrong codes in a row. Back-up codes and the codes that confirm a session count, too. */
export const secondFactorTriesMax = 10

/** After the last of these tries, every code of the person is refused for this time, from all addresses. */
export const secondFactorLockSeconds = 3_600
