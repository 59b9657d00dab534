import { type Command, Option } from 'commander'
import { readConfig } from '../../config.ts'
import { waitFlag, waitForBeginMessage } from './wait-for-begin.ts'

export function registerWorkerCommand(program: Command): void {
  program
    .command('worker')
    .description('run the worker alone: it sends orders to suppliers and settles them')
    .addOption(new Option(waitFlag).hideHelp())
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgresql://makola@db/makola makola worker')
    .action(async ({ waitForBegin }: { waitForBegin?: boolean }) => {
      const begun = waitForBegin && waitForBeginMessage()
      const config = readConfig()
      const [{ runRole }, { startWorker }, { connectAsApplication }, { listenForHints }] = await Promise.all([
        import('./run-role.ts'),
        import('../../worker.ts'),
        import('../frame/open-database.ts'),
        import('../../platform/polling/listen-for-hints.ts'),
      ])
      await begun
      await runRole('worker', config, async ({ db, log, metrics, tracing, applicationUrl, history }) => {
        // These connections have no time-out, because the audit of many years of orders may take long, and so may counting older
        // days for reports.
        const auditDb = connectAsApplication(applicationUrl, {
          poolSize: 2,
          applicationName: 'makola audit',
          onConnect: (client) => history.compareConnection(client),
        })
        const hints = listenForHints(applicationUrl)
        const worker = await startWorker(config, db, log, { metrics, tracing, auditDb, hints, history })
        return {
          async stop() {
            await worker.stop()
            await hints.stop()
            await auditDb.destroy()
          },
        }
      })
    })
}
