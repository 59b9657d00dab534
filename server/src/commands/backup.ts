import type { Command } from 'commander'
import type { BackupOptions, NoteOptions } from './backup-actions.ts'

const actions = () => import('./backup-actions.ts')

export function registerBackupCommand(program: Command): void {
  const backup = program
    .command('backup')
    .description('copy the embedded database while it sells, restore a copy, and see how old the newest backup is')
    .option('--to <folder>', 'make a backup in a new folder of this one')
    .option('--keep <count>', 'with --to: remove all but the newest so many backups of the folder afterwards')
    .addHelpText(
      'after',
      `
A backup holds the whole database and none of the keys: keep SECRETS_KEY apart from it. With DATABASE_URL, PostgreSQL's own tools
make the backups; \`note\` tells of them, so that \`status\`, \`makola doctor\` and the alarm backup_old know.

Examples:
  makola backup --to /backup --keep 7
  makola backup status
  makola backup restore /backup/makola-20270131T020000Z
  makola backup note --kind pgbackrest --place "repo1, full"`,
    )
    .action(async (options: BackupOptions, command: Command) => {
      if (options.to === undefined) command.help({ error: true })
      await (await actions()).runBackup(options)
    })
  backup
    .command('status')
    .description('the newest backups that are known, and the copying of the write-ahead log; exit 1 when something is too old')
    .action(async () => (await actions()).runBackupStatus())
  backup
    .command('restore <folder>')
    .description('copy a backup into DATA_DIR, where no database may be; the next start reads it')
    .action(async (folder: string) => (await actions()).runBackupRestore(folder))
  backup
    .command('note')
    .description('tell of a backup that another program has made, at the end of its script')
    .requiredOption('--kind <name>', 'the program, such as pg_dump or pgbackrest')
    .requiredOption('--place <text>', 'where the backup is')
    .option('--bytes <count>', 'its size')
    .option('--at <moment>', 'when it was made, if not just now')
    .action(async (options: NoteOptions) => (await actions()).runBackupNote(options))
}
