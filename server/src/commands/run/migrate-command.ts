import process from 'node:process'
import type { Command } from 'commander'
import { readConfig } from '../../config.ts'
import type { LongWorkProgress } from '../../platform/database/long-work/do-long-work.ts'
import { printResult } from '../frame/print-result.ts'
import { openProgressLine } from '../frame/progress-line.ts'

/** Describes the progress: `0002_roles: 1,200,000 of about 3,000,000 rows, 40 %; about 12 minutes left`. */
export function describeLongWork({ migration, unit, done, inAll, secondsLeft }: LongWorkProgress): string {
  const count = (number: number) => number.toLocaleString('en-US')
  const share = Math.floor((done * 100) / Math.max(inAll, 1))
  const minutes = secondsLeft === undefined ? undefined : Math.ceil(secondsLeft / 60)
  const left = minutes === undefined ? '' : `; about ${minutes === 1 ? '1 minute' : `${count(minutes)} minutes`} left`
  return `${migration}: ${count(done)} of about ${count(inAll)} ${unit}, ${share} %${left}`
}

export function registerMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date; run it before new processes start')
    .addHelpText('after', '\nExamples:\n  makola migrate\n  DATABASE_URL=postgresql://makola@db/makola makola migrate --json')
    .action(async () => {
      const { migrateInstallation } = await import('./migrate-installation.ts')
      let latest: LongWorkProgress | undefined
      const line = openProgressLine(process.stderr, () => (latest ? describeLongWork(latest) : ''))
      const migrations = await migrateInstallation(readConfig(), (progress) => {
        latest = progress
        line.show(progress.done)
      })
      line.close()
      const text = migrations.length === 0 ? 'The database is up to date.' : `Migrated: ${migrations.join(', ')}.`
      printResult({ migrations }, text)
    })
}
