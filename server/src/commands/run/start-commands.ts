import process from 'node:process'
import type { Command } from 'commander'
import { childEnvironment, readConfig } from '../../config.ts'
import { CommandError } from '../frame/command-error.ts'

export function registerSimulatorCommand(program: Command): void {
  program
    .command('simulator')
    .description('run the stand-in for all suppliers alone')
    .addHelpText('after', '\nExample:\n  SIMULATOR_PORT=9100 makola simulator')
    .action(async () => {
      const config = readConfig()
      const { simulatorEntry, spawnProgram: spawnOurs } = await import('./start/spawn-program.ts')
      const child = spawnOurs([simulatorEntry], childEnvironment({ DATA_DIR: config.dataDir }))
      const forward = (signal: NodeJS.Signals) => child.kill(signal)
      process.on('SIGINT', () => forward('SIGTERM'))
      process.on('SIGTERM', forward)
      const exitCode = await new Promise<number | null>((resolve) => child.once('exit', resolve))
      if (exitCode !== 0) throw new CommandError('The simulator ended with an error; see above.')
    })
}

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
