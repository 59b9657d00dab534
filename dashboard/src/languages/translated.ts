/** The translation of texts: the same keys, and functions of the same values. What is left out stays in English. */
export type Translated<Words> = Words extends string
  ? string
  : Words extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Key in keyof Words]?: Translated<Words[Key]> }
