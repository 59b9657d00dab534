import { operationRooms } from './all-operations.ts'
import { registerArchiveCommand } from './commands/archive.ts'
import { registerAuditCommand } from './commands/audit.ts'
import { registerBackupCommand } from './commands/backup.ts'
import {
  addAfaExport,
  addAlertTest,
  addCheckTextCommand,
  addSetNotices,
  addTopUpShow,
} from './commands/commands-without-operations.ts'
import { registerCompletionCommand } from './commands/completion.ts'
import { registerFindCommand } from './commands/find.ts'
import { commandsOf, type LazyCommand } from './commands/frame/operation-commands.ts'
import type { RegisterCommand } from './commands/frame/run-command-line.ts'
import { registerLogCommand } from './commands/log.ts'
import { addOrderList } from './commands/order.ts'
import { registerPackagesCommand } from './commands/packages/packages.ts'
import { addMemberCreate, addStaffCreate } from './commands/people/create-commands.ts'
import { registerReconcileCommand } from './commands/reconcile.ts'
import { registerReportCommand } from './commands/report.ts'
import { registerApiCommand } from './commands/run/api-command.ts'
import { registerDoctorCommand } from './commands/run/doctor-command.ts'
import { registerMigrateCommand } from './commands/run/migrate-command.ts'
import { registerReadyCommand } from './commands/run/ready-command.ts'
import { registerSimulatorCommand, registerStartCommand } from './commands/run/start-commands.ts'
import { registerUpgradeCommand } from './commands/run/upgrade-command.ts'
import { registerWorkerCommand } from './commands/run/worker-command.ts'
import { registerSecretsCommand } from './commands/secrets.ts'
import { addCommissionStatement, addWalletStatement } from './commands/statement.ts'
import { registerSupplierCommand } from './commands/supplier.ts'
import { registerGatewayCommand } from './commands/top-ups/gateway.ts'
import { addVoucherFiles } from './commands/vouchers.ts'

/** Every command, in the order of the help. */
const commands: readonly (RegisterCommand | LazyCommand)[] = [
  registerStartCommand,
  registerApiCommand,
  registerWorkerCommand,
  registerSimulatorCommand,
  registerMigrateCommand,
  registerUpgradeCommand,
  registerDoctorCommand,
  registerReadyCommand,
  commandsOf(operationRooms.accounts, addSetNotices),
  commandsOf(operationRooms.members, addMemberCreate),
  commandsOf(operationRooms.keys),
  commandsOf(operationRooms.webhooks),
  commandsOf(operationRooms.wallets, addWalletStatement),
  commandsOf(operationRooms.topUps, addTopUpShow),
  registerGatewayCommand,
  commandsOf(operationRooms.smsCredits, addCheckTextCommand),
  commandsOf(operationRooms.approvals),
  commandsOf(operationRooms.senders),
  registerPackagesCommand,
  commandsOf(operationRooms.voucherTypes),
  commandsOf(operationRooms.vouchers, addVoucherFiles),
  commandsOf(operationRooms.afa, addAfaExport),
  commandsOf(operationRooms.commission, addCommissionStatement),
  commandsOf(operationRooms.costs),
  commandsOf(operationRooms.settings),
  commandsOf(operationRooms.staff, addStaffCreate),
  commandsOf(operationRooms.prefixes),
  commandsOf(operationRooms.portedNumbers),
  registerFindCommand,
  commandsOf(operationRooms.orders, addOrderList),
  registerSupplierCommand,
  commandsOf(operationRooms.routes),
  registerReconcileCommand,
  registerReportCommand,
  registerSecretsCommand,
  registerLogCommand,
  registerAuditCommand,
  registerArchiveCommand,
  registerBackupCommand,
  commandsOf(operationRooms.alerts, addAlertTest),
  commandsOf(operationRooms.notices),
  commandsOf(operationRooms.problems),
  commandsOf(operationRooms.personalData),
  commandsOf(operationRooms.history),
  registerCompletionCommand,
]

/** These show all commands with their options. */
const showingAll = ['completion', 'help']

/**
 * Loads all commands with their options. `words` is the command line after `makola`: when it is given, a `LazyCommand` that it
 * does not need comes with its name and summary only.
 */
export function loadCommands(words?: readonly string[]): Promise<RegisterCommand[]> {
  const first = words?.find((word) => !word.startsWith('-'))
  const isNeeded = (name: string) => words === undefined || first === name || (first !== undefined && showingAll.includes(first))
  return Promise.all(
    commands.map(async (command) => {
      if (typeof command === 'function') return command
      return isNeeded(command.name) ? command.load() : command.register
    }),
  )
}
