import process from 'node:process'

/**
 * What a program of ours gets of the environment of the tests, when nothing else of it may reach the program: where
 * programs are found, and what makes them start faster, see `vitest.config.ts`.
 */
export function programEnvironment(): Record<string, string> {
  const names = ['PATH', 'NODE_COMPILE_CACHE'] as const
  return Object.fromEntries(names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
}
