import { readFileSync } from 'node:fs'
import process from 'node:process'
import { loadCommands } from './command-list.ts'
import { runCommandLine } from './commands/frame/run-command-line.ts'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Time for the last lines of output. */
const endMilliseconds = 200

/** The reader of our output may stop early, as `| head` does. That does not fail the command. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error
  })
}

const words = process.argv.slice(2)
await runCommandLine(words, manifest.version, await loadCommands(words))
// The command is done, so the process ends here. Otherwise something that a failed command left open, or the channel to a parent
// process, would keep it alive.
if (process.connected) process.disconnect()
setTimeout(() => process.exit(), endMilliseconds).unref()
