import type { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { printResult } from '../frame/print-result.ts'

export function registerMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date; run it before new processes start')
    .addHelpText('after', '\nExamples:\n  makola migrate\n  DATABASE_URL=postgresql://makola@db/makola makola migrate --json')
    .action(async () => {
      const { migrateInstallation } = await import('./migrate-installation.ts')
      const migrations = await migrateInstallation(readConfig())
      const text = migrations.length === 0 ? 'The database is up to date.' : `Migrated: ${migrations.join(', ')}.`
      printResult({ migrations }, text)
    })
}
