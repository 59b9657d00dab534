import { type Command, Option } from 'commander'
import { readConfig } from '../../config.ts'
import { waitFlag, waitForBeginMessage } from './wait-for-begin.ts'

export function registerApiCommand(program: Command): void {
  program
    .command('api')
    .description('run the HTTPS API alone')
    .addOption(new Option(waitFlag).hideHelp())
    .addHelpText('after', '\nExample:\n  PORT=8444 DATABASE_URL=postgresql://makola@db/makola makola api')
    .action(async ({ waitForBegin }: { waitForBegin?: boolean }) => {
      const begun = waitForBegin && waitForBeginMessage()
      const config = readConfig()
      const [{ runRole }, { startApi }, { seedDemo }, { applicationRole }] = await Promise.all([
        import('./run-role.ts'),
        import('../../api.ts'),
        import('../../demo/seed-demo.ts'),
        import('../../platform/database/migrate.ts'),
      ])
      await begun
      await runRole('api', config, async ({ db, log, applicationUrl, metrics, tracing, history }) => {
        // Where `makola start` is the parent, it seeds the demo itself.
        if (!waitForBegin) await seedDemo({ db, config, log })
        const api = await startApi({
          config,
          database: { url: applicationUrl, role: applicationRole },
          log,
          metrics,
          tracing,
          history,
        })
        return { port: api.port, stop: () => api.close() }
      })
    })
}
