/** Registries of numbers fulfil no orders. */
export const conforming = undefined
