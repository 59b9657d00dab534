import type { Command } from 'commander'

export function registerStartCommand(program: Command): void {
  program
    .command('start')
    .description('run everything on this machine: database, API, worker, and the simulator unless suppliers are live')
    .option('--watch', 'restart when a source file changes')
    .addHelpText('after', '\nExamples:\n  makola start\n  DATA_DIR=/var/lib/makola PORT=443 HOST=0.0.0.0 makola start')
    .action(async (options: { watch?: boolean }) => {
      const { runStart } = await import('./start/run-start.ts')
      await runStart({ isWatching: options.watch === true })
    })
}
