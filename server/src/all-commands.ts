import { loadCommands } from './command-list.ts'

export const allCommands = await loadCommands()
