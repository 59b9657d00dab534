import { sql } from 'kysely'
import type { CostSubject, CostUnits } from '../../orders/costs/cost-subject.ts'
import type { Product } from '../product.ts'
import { segmentsOfMessage } from './campaigns/settle-campaigns.ts'
import { watchCampaigns } from './campaigns/watch-campaigns.ts'
import { registerTextCheck } from './desk/check-text.desk.routes.ts'
import { forgettingOfCampaigns, forgettingOfMessages, forgettingOfTexts } from './forgetting/forget-messages.ts'
import { smsOfPerson } from './forgetting/sms-of-a-person.ts'
import { pauseOpenCampaigns } from './link/cancel-campaign.ts'
import { concludeOverdue, maySmsBeOverdue } from './link/conclude-overdue.ts'
import { runSmsLoop } from './link/run-sms-loop.ts'
import { registerSmsMemberRoutes } from './members/sms.member.routes.ts'
import { smsAuditChecks } from './sms.audit.ts'
import { smsKind } from './sms.kind.ts'
import { smsRefusals } from './sms.refusals.ts'
import { registerSmsRoutes } from './sms.routes.ts'
import { smsEnabled, smsLimits, smsSettings } from './sms.settings.ts'
import { campaignFinder, messageFinder } from './sms-finders.ts'

/** The cost of a segment at the link that sent its message. Failed messages cost nothing. */
const smsCost: CostSubject & { readonly units: CostUnits } = {
  product: 'sms',
  title: 'SMS',
  unit: 'segment',
  takesPercent: false,
  units: sql`
    select message.supplier as key, null::text as other_key, sum(${segmentsOfMessage}) as units
    from sms_messages as message join sms_campaigns as campaign on campaign.id = message.campaign_id
    where message.campaign_id = ended.order_id and message.status <> 'failed'
    group by message.supplier`,
  listKeys: async (db) => {
    const rows = await db.selectFrom('suppliers').select('name').where('adapter', '=', 'smpp').orderBy('name').execute()
    return rows.map(({ name }) => ({ key: name, title: name, since: null }))
  },
}

/** SMS campaigns, paid in credits and sent over SMPP links by their own loop. */
export const sms: Product = {
  name: smsKind.name,
  title: 'SMS campaigns',
  shortTitle: 'SMS',
  unit: smsKind.unit,
  references: 'account',
  namesItsOrders: false,
  fulfilledBy: 'own loop',
  refundsFailedOrders: 'always',
  earnsCommission: false,
  followsNumberPlan: false,
  unitCost: smsCost,
  peoplesMoves: [],
  soldWhile: smsEnabled,
  settings: smsSettings,
  limits: smsLimits,
  refusals: smsRefusals,
  auditChecks: smsAuditChecks,
  sealedColumns: [],
  finders: [campaignFinder, messageFinder],
  approvalKinds: [],
  keepBack: pauseOpenCampaigns,
  expectedCost: undefined,
  openForApi(parts) {
    const campaigns = watchCampaigns(parts.db)
    return {
      kind: smsKind,
      registerRoutes: (api, shop) => registerSmsRoutes(api, { ...parts, ...shop, campaigns }),
      registerDeskRoutes: (desk) => registerTextCheck(desk, parts),
      registerMemberRoutes: (app, shop) => registerSmsMemberRoutes(app, { ...parts, ...shop, campaigns }),
    }
  },
  personalSources: smsOfPerson,
  openForWorker({ db, log, settings, suppliers, routes, hints, askDue, recipientHash, history }) {
    const loop = runSmsLoop({ db, log, settings, registry: suppliers, routes, history }, hints, askDue)
    return {
      courtesySms: () => loop.courtesySms(),
      forgettings: [forgettingOfMessages(recipientHash), forgettingOfCampaigns, forgettingOfTexts],
      timers: [
        {
          name: 'overdue SMS',
          everySeconds: 15,
          isExclusive: true,
          isDue: maySmsBeOverdue,
          run: () => concludeOverdue({ db, settings, log }),
        },
      ],
      stop: () => loop.stop(),
    }
  },
}
