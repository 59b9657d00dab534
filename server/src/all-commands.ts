import { registerAccountCommand } from './commands/account.ts'
import { registerAfaCommand } from './commands/afa.ts'
import { registerAlertCommand } from './commands/alert.ts'
import { registerApprovalsCommand } from './commands/approvals.ts'
import { registerAuditCommand } from './commands/audit.ts'
import { registerCommissionCommand } from './commands/commission.ts'
import { registerCompletionCommand } from './commands/completion.ts'
import { registerCostCommand } from './commands/cost.ts'
import { registerFindCommand } from './commands/find.ts'
import type { RegisterCommand } from './commands/frame/run-command-line.ts'
import { registerKeyCommand } from './commands/key.ts'
import { registerLogCommand } from './commands/log.ts'
import { registerNoticesCommand } from './commands/notices.ts'
import { registerOrderCommand } from './commands/order.ts'
import { registerPackagesCommand } from './commands/packages/packages.ts'
import { registerMemberCommand } from './commands/people/member.ts'
import { registerStaffCommand } from './commands/people/staff.ts'
import { registerPortedCommand } from './commands/ported.ts'
import { registerPrefixCommand } from './commands/prefix.ts'
import { registerReconcileCommand } from './commands/reconcile.ts'
import { registerReportCommand } from './commands/report.ts'
import { registerRouteCommand } from './commands/route.ts'
import { registerApiCommand } from './commands/run/api.ts'
import { registerDoctorCommand } from './commands/run/doctor.ts'
import { registerMigrateCommand } from './commands/run/migrate.ts'
import { registerSimulatorCommand } from './commands/run/simulator.ts'
import { registerStartCommand } from './commands/run/start.ts'
import { registerWorkerCommand } from './commands/run/worker.ts'
import { registerSecretsCommand } from './commands/secrets.ts'
import { registerSenderCommand } from './commands/sender.ts'
import { registerSettingCommand } from './commands/setting.ts'
import { registerSmsCommand } from './commands/sms.ts'
import { registerSupplierCommand } from './commands/supplier.ts'
import { registerGatewayCommand } from './commands/top-ups/gateway.ts'
import { registerTopUpCommand } from './commands/top-ups/top-up.ts'
import { registerVoucherTypeCommand } from './commands/voucher-type.ts'
import { registerVouchersCommand } from './commands/vouchers.ts'
import { registerWalletCommand } from './commands/wallet.ts'

/**
 * The help lists the commands in this order: those that run Makola, those about buyers, about products, and about the operator's
 * daily work.
 */
export const allCommands: readonly RegisterCommand[] = [
  registerStartCommand,
  registerApiCommand,
  registerWorkerCommand,
  registerSimulatorCommand,
  registerMigrateCommand,
  registerDoctorCommand,
  registerAccountCommand,
  registerMemberCommand,
  registerKeyCommand,
  registerWalletCommand,
  registerTopUpCommand,
  registerGatewayCommand,
  registerSmsCommand,
  registerApprovalsCommand,
  registerSenderCommand,
  registerPackagesCommand,
  registerVoucherTypeCommand,
  registerVouchersCommand,
  registerAfaCommand,
  registerCommissionCommand,
  registerCostCommand,
  registerSettingCommand,
  registerStaffCommand,
  registerPrefixCommand,
  registerPortedCommand,
  registerFindCommand,
  registerOrderCommand,
  registerSupplierCommand,
  registerRouteCommand,
  registerReconcileCommand,
  registerReportCommand,
  registerSecretsCommand,
  registerLogCommand,
  registerAuditCommand,
  registerAlertCommand,
  registerNoticesCommand,
  registerCompletionCommand,
]
