import { Button } from '@mantine/core'
import { useState } from 'react'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useAct } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Failure } from '../../both/layout/query-states.tsx'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { topUpWords as words } from '../words/top-ups.ts'

type Details = Schema<'DeskTopUpDetails'>

const changed = ['top-ups', 'approvals', 'accounts', 'needs', 'log', 'today'] as const

/** Explains the second person: this person is the second, or a second one must confirm. Undefined when one is enough. */
function leadOf({ proposal, takes_two: takesTwo }: Details): string | undefined {
  if (proposal) return words.second(proposal.proposed_by)
  return takesTwo ? words.takesTwo : undefined
}

/**
 * Confirms that the money of a transfer has arrived. The request names the top-up, so repeating it does not credit it twice.
 */
export function ConfirmTopUp({ topUp, onActed }: { readonly topUp: Details; readonly onActed: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const { top_up_id, account_name: name, amount, balance, proposal, takes_two: takesTwo } = topUp
  const confirm = async (): Promise<boolean> => {
    if (proposal) {
      await post('/desk/api/approvals/{approval_id}/confirm', { approval_id: proposal.approval_id })
      return true
    }
    const { outcome } = await post('/desk/api/top-ups/{top_up_id}/confirm', { top_up_id })
    return outcome !== 'same_waits'
  }
  // When an equal proposal already waits, the request changes nothing. The screen then shows that proposal, with a button that
  // confirms it.
  const confirming = useAct(confirm, changed, (isDone) => {
    setOpen(false)
    if (isDone) onActed()
  })
  const isOnlyProposed = takesTwo && proposal === null
  const lead = leadOf(topUp)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{proposal ? words.confirmSecond : words.confirm}</Button>
      <ConfirmMoney
        isOpen={isOpen}
        question={words.confirmQuestion(name)}
        amount={amount}
        balanceAfter={isOnlyProposed ? undefined : balance + amount}
        action={isOnlyProposed ? fieldWords.propose : words.credit}
        isBusy={confirming.isPending}
        onConfirm={() => confirming.mutate()}
        onClose={() => setOpen(false)}
      >
        <p>{words.confirmLead(topUp.transfer_reference ?? topUp.reference)}</p>
        {lead !== undefined && <p>{lead}</p>}
        {confirming.isError && <Failure error={confirming.error} />}
      </ConfirmMoney>
    </>
  )
}
