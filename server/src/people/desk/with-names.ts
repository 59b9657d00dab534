export const idPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** A text with names in place of ids. Of an id without a name, the end is left, to tell it from others. */
export const withNames = (text: string, names: ReadonlyMap<string, { readonly name: string }>): string =>
  text.replaceAll(idPattern, (id) => names.get(id.toLowerCase())?.name ?? `…${id.slice(-4)}`)
