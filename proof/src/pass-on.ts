import process from 'node:process'

/** Gives the environment variables with these names that are set, to pass them on. */
export function passOn(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
}

/** What makes programs of the product start faster, see `vitest.config.ts`. */
export const forFastStarts = ['NODE_COMPILE_CACHE'] as const
