/** A value that may be passed on and whose fields may be read. A call of it throws an error. */
function absent(path: string): object {
  return new Proxy(() => undefined, {
    get: (_target, name) => (typeof name === 'symbol' || name === 'then' ? undefined : absent(`${path}.${name}`)),
    apply: () => {
      throw new Error(`${path} was called, though nothing runs while routes are only described`)
    },
  })
}

/**
 * Stands in for the parts of a running process where routes are only described and never called. A call of such a part
 * throws an error that names the part.
 * @param known the parts that decide which routes there are
 */
export function absentParts<Parts extends object>(known: Partial<Parts> = {}): Parts {
  return new Proxy(known, {
    get: (target, name, receiver) =>
      name in target || typeof name === 'symbol' ? Reflect.get(target, name, receiver) : absent(name),
  }) as Parts
}
