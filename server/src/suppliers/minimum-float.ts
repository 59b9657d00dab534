/** In GHS. Below this, our float at a supplier that fulfils orders counts as empty, unless its settings set another amount. */
export const minimumFloatGhsDefault = 5
