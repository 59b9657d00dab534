import type { Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { ListScreen } from '../../both/list/list-screen.tsx'
import { StateOf } from '../../both/list/state.tsx'
import type { Column } from '../../both/list/table-or-cards.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { formatCount } from '../../both/money/format-ghs.ts'
import { campaignStates } from '../../both/sms/campaign-words.ts'
import { Delivery } from '../../both/sms/delivery.tsx'
import { deskSmsWords } from '../words/sms.ts'
import { CampaignPanel } from './campaign-panel.tsx'
import { CheckText } from './check-text.tsx'

type DeskCampaign = Schema<'DeskCampaign'>

function Credits({ campaign }: { readonly campaign: DeskCampaign }) {
  const { credits_charged: charged, credits_refunded: refunded } = campaign
  return (
    <div>
      {formatCount(charged)}
      {refunded > 0 && <div className="soft fine">{deskSmsWords.back(refunded)}</div>}
    </div>
  )
}

const when: Column<DeskCampaign> = {
  title: fieldWords.when,
  show: ({ created_at: at, scheduled_at: scheduledAt, state: now }) =>
    relativeMoment(now === 'scheduled' && scheduledAt !== null ? scheduledAt : at),
}
const account: Column<DeskCampaign> = { title: fieldWords.account, show: ({ account_name: name }) => name, isMain: true }
const sender: Column<DeskCampaign> = { title: deskSmsWords.sender, show: ({ sender: name }) => name }
const recipients: Column<DeskCampaign> = {
  title: deskSmsWords.recipients,
  show: ({ recipients: count }) => formatCount(count),
  isFigure: true,
}
const progress: Column<DeskCampaign> = {
  title: deskSmsWords.progress,
  show: (campaign) => <Delivery counts={campaign.delivery} />,
}
const credits: Column<DeskCampaign> = {
  title: deskSmsWords.credits,
  show: (campaign) => <Credits campaign={campaign} />,
  isFigure: true,
}
const state: Column<DeskCampaign> = {
  title: fieldWords.state,
  show: (campaign) => <StateOf {...campaignStates[campaign.state]} />,
}

const columns = [when, account, sender, recipients, progress, credits, state]
/** Beside a panel only these columns have room. */
const columnsBesidePanel = [when, account, recipients, progress, state]

/** The campaigns of all accounts, the actions on them, and a check of texts against the content policy. */
export default function SmsScreen() {
  return (
    <ListScreen
      title={fieldWords.sms}
      at="/sms"
      views={{ name: 'group', label: deskSmsWords.groupLabel, options: deskSmsWords.groups, areLinks: true }}
      filters={{ account: { label: deskSmsWords.accountHint, type: 'search' } }}
      filterAction={fieldWords.find}
      clear={deskSmsWords.clear}
      topic="sms"
      path="/desk/api/sms/campaigns"
      rows="campaigns"
      asked={({ account }, group) => ({ account, group: group === 'all' ? undefined : group })}
      cursor="before"
      more={deskSmsWords.more}
      label={deskSmsWords.list}
      columns={columns}
      columnsBesidePanel={columnsBesidePanel}
      keyOf={({ campaign_id }) => campaign_id}
      panelLabel={deskSmsWords.panel}
      panel={(id) => <CampaignPanel key={id} id={id} />}
      empty={(isFiltered, group) =>
        isFiltered || group !== 'all'
          ? { title: deskSmsWords.nothingFits, next: deskSmsWords.nothingFitsNext }
          : { title: deskSmsWords.empty, next: deskSmsWords.emptyNext }
      }
      below={<CheckText />}
    />
  )
}
