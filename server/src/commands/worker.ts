import type { Command } from 'commander'
import { readConfig } from '../config.ts'

/** `makola worker`: dispatches orders and keeps house, in the foreground. */
export function registerWorkerCommand(program: Command): void {
  program
    .command('worker')
    .description('run the worker alone: it sends orders to suppliers and settles them')
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgresql://makola@db/makola makola worker')
    .action(async () => {
      const config = readConfig()
      const [{ runRole }, { startWorker }] = await Promise.all([import('./run-role.ts'), import('../worker.ts')])
      await runRole('worker', config, ({ db, log, metrics }) => startWorker(config, db, log, metrics))
    })
}
