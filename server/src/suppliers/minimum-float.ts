/** Our float at a supplier that fulfils orders counts as empty below this, in GHS, unless its settings set another amount. */
export const minimumFloatGhsDefault = 5
