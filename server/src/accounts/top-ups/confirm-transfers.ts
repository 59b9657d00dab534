import { formatGhs, pesewas } from '../../money/pesewas.ts'
import { decideTransfersWith, type NotifyOfTopUp } from '../../money/top-ups/decide-transfer.ts'
import { notifyAccounts } from '../notices/notify-accounts.ts'

/** Notifies a reseller of a person's decision about money that the reseller paid in. */
export const notifyOfTopUp: NotifyOfTopUp = async (tx, topUp, decision) => {
  const amount = formatGhs(pesewas(topUp.amount))
  const named = topUp.transfer_reference === null ? `Your top-up ${topUp.reference}` : `Your transfer ${topUp.transfer_reference}`
  const what = `${named} of ${amount}`
  const about = { accountId: topUp.account_id, about: topUp.id }
  if (decision.state === 'credited') {
    const text = `${what} was confirmed: your wallet has the money.`
    await notifyAccounts(tx, [
      {
        ...about,
        kind: 'top_up_credited',
        subject: `${amount} is in your wallet`,
        text: `${text}\n\nWhat to do: nothing. The receipt stands beside the top-up in the dashboard.`,
        sms: text.slice(0, 160),
      },
    ])
    return
  }
  const text = `${what} was declined, and nothing was credited.`
  await notifyAccounts(tx, [
    {
      ...about,
      kind: 'top_up_declined',
      subject: `Your top-up of ${amount} was declined`,
      text: `${text} Our reason: ${decision.reason}\n\nWhat to do: if you did pay, answer with the receipt of your bank or mobile money.`,
      sms: `${text} The reason stands in the dashboard.`.slice(0, 160),
    },
  ])
}

/** Decisions about money that resellers paid in, with the notice to the reseller in the same transaction. */
export const { confirmationKind, confirmTransfer, declineTopUp } = decideTransfersWith(notifyOfTopUp)
