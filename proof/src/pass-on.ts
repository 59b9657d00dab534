import process from 'node:process'

/** Returns those of these environment variables that are set in this process. */
export function passOn(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
}

/** Variables that make the product's programs start faster, see `vitest.config.ts`. */
export const forFastStarts = ['NODE_COMPILE_CACHE'] as const
