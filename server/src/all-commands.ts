import { registerAccountCommand } from './commands/account.ts'
import { registerAfaCommand } from './commands/afa.ts'
import { registerAlertCommand } from './commands/alert.ts'
import { registerApiCommand } from './commands/api.ts'
import { registerApprovalsCommand } from './commands/approvals.ts'
import { registerAuditCommand } from './commands/audit.ts'
import { registerCommissionCommand } from './commands/commission.ts'
import { registerCompletionCommand } from './commands/completion.ts'
import { registerDoctorCommand } from './commands/doctor.ts'
import { registerKeyCommand } from './commands/key.ts'
import { registerLogCommand } from './commands/log.ts'
import { registerMigrateCommand } from './commands/migrate.ts'
import { registerOrderCommand } from './commands/order.ts'
import { registerPackagesCommand } from './commands/packages.ts'
import { registerPortedCommand } from './commands/ported.ts'
import { registerPrefixCommand } from './commands/prefix.ts'
import { registerReconcileCommand } from './commands/reconcile.ts'
import { registerRouteCommand } from './commands/route.ts'
import type { RegisterCommand } from './commands/run-command-line.ts'
import { registerSecretsCommand } from './commands/secrets.ts'
import { registerSenderCommand } from './commands/sender.ts'
import { registerSettingCommand } from './commands/setting.ts'
import { registerSimulatorCommand } from './commands/simulator.ts'
import { registerSmsCommand } from './commands/sms.ts'
import { registerStartCommand } from './commands/start.ts'
import { registerSupplierCommand } from './commands/supplier.ts'
import { registerVoucherTypeCommand } from './commands/voucher-type.ts'
import { registerVouchersCommand } from './commands/vouchers.ts'
import { registerWalletCommand } from './commands/wallet.ts'
import { registerWorkerCommand } from './commands/worker.ts'

/** Every command, in the order in which the help lists them: running it, who buys, what is sold, and the operator's desk. */
export const allCommands: readonly RegisterCommand[] = [
  registerStartCommand,
  registerApiCommand,
  registerWorkerCommand,
  registerSimulatorCommand,
  registerMigrateCommand,
  registerDoctorCommand,
  registerAccountCommand,
  registerKeyCommand,
  registerWalletCommand,
  registerSmsCommand,
  registerApprovalsCommand,
  registerSenderCommand,
  registerPackagesCommand,
  registerVoucherTypeCommand,
  registerVouchersCommand,
  registerAfaCommand,
  registerCommissionCommand,
  registerSettingCommand,
  registerPrefixCommand,
  registerPortedCommand,
  registerOrderCommand,
  registerSupplierCommand,
  registerRouteCommand,
  registerReconcileCommand,
  registerSecretsCommand,
  registerLogCommand,
  registerAuditCommand,
  registerAlertCommand,
  registerCompletionCommand,
]
