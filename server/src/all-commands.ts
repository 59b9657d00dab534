import { loadCommands } from './command-list.ts'

/** Every command with all its options. */
export const allCommands = await loadCommands()
