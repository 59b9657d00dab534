/** Stands for anything: it can be handed on and looked into, but a call of it throws. */
function absent(path: string): object {
  return new Proxy(() => undefined, {
    get: (_target, name) => (typeof name === 'symbol' || name === 'then' ? undefined : absent(`${path}.${name}`)),
    apply: () => {
      throw new Error(`${path} was called, though nothing runs while routes are only described`)
    },
  })
}

/**
 * The parts of a running process, for one that only describes its routes and calls none of them. Whatever calls a part all
 * the same fails with the part's name.
 * @param known the parts that decide which routes there are
 */
export function absentParts<Parts extends object>(known: Partial<Parts> = {}): Parts {
  return new Proxy(known, {
    get: (target, name, receiver) =>
      name in target || typeof name === 'symbol' ? Reflect.get(target, name, receiver) : absent(name),
  }) as Parts
}
