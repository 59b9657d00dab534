import type { Command } from 'commander'
import type { ArchiveOptions } from './archive-actions.ts'

const actions = () => import('./archive-actions.ts')

export function registerArchiveCommand(program: Command): void {
  const archive = program
    .command('archive')
    .description('put old months away into files, and bring them back')
    .option('--before <month>', 'put away all months before this one, such as 2025-04')
    .addHelpText(
      'after',
      `
Orders themselves stay in the database, with status, price and recipient; their transfers and moves go. What failed, was given
back, or brought money in stays as well. The files are in ARCHIVE_DIR, a folder for each month. A command that was broken off
goes on when it is run again; \`list\` says what stands.

Examples:
  makola archive --before 2025-04
  makola archive list
  makola archive verify 2025-03
  makola archive bring-back 2025-03`,
    )
    .action(async (options: ArchiveOptions, command: Command) => {
      if (options.before === undefined) command.help({ error: true })
      await (await actions()).runArchive(options)
    })
  archive
    .command('list')
    .description('the months that are put away: rows, bytes, state, and where their files are')
    .action(async () => (await actions()).runArchiveList())
  archive
    .command('verify <month>')
    .description('prove the files of a month by their hashes and by the chains; exit 1 when they are not as they were')
    .action(async (month: string) => (await actions()).runArchiveVerify(month))
  archive
    .command('bring-back <month>')
    .description('read the files of a month into the database again')
    .action(async (month: string) => (await actions()).runArchiveBringBack(month))
}
