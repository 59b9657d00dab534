import { api, post, requestData, type Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { saveFile } from '../../both/save-text-buttons.tsx'
import type { Topic } from '../frame/live.ts'
import { afaWords } from '../words/afa.ts'

export type Registration = Schema<'AfaQueueEntry'>

const topics: readonly Topic[] = ['afa', 'orders', 'today']

/** The person's name, or the reference once the data is deleted. */
export const nameOf = ({ identity, reference }: Registration): string => identity?.full_name ?? reference

export type ActsProps = {
  readonly registration: Registration
  /** True when a cancelled registration gets its fee back, as a setting says. */
  readonly isRefunded: boolean
  readonly onDone: () => void
}

type ClaimProps = {
  readonly label: string
  readonly question: string
  /** The registrations to claim: some by their references (all of these or none), or those that wait longest. */
  readonly claimed: Schema<'ClaimAfaBody'>
  readonly onDone: () => void
}

export function Claim({ label, question, claimed, onDone }: ClaimProps) {
  return (
    <Act
      label={label}
      question={question}
      action={afaWords.claim}
      topics={topics}
      button={{ variant: 'filled' }}
      onDone={onDone}
      run={() => post('/desk/api/afa/claim', claimed)}
    >
      <p>{afaWords.claimHelp}</p>
    </Act>
  )
}

/** Saves as a file all registrations that the signed-in person has claimed. */
export function ExportMine({ count }: { readonly count: number }) {
  return (
    <Act
      label={afaWords.exportMine(count)}
      question={afaWords.exportQuestion}
      action={afaWords.exportAction}
      reason="needed"
      topics={[]}
      run={async (reason) => {
        let file = new Blob()
        await requestData(async () => {
          const called = await api.POST('/desk/api/afa/export', { body: { reason }, parseAs: 'blob' })
          if (called.response.ok) file = called.data as Blob
          return called
        })
        saveFile(afaWords.fileName, file)
      }}
    >
      <p>{afaWords.exportHelp}</p>
    </Act>
  )
}

function Complete({ registration, onDone }: ActsProps) {
  const { reference } = registration
  return (
    <Act
      label={afaWords.complete}
      question={afaWords.completeQuestion(nameOf(registration))}
      action={afaWords.completeAction}
      reason="needed"
      reasonLabel={fieldWords.receipt}
      reasonHelp={afaWords.receiptHelp}
      topics={topics}
      button={{ variant: 'filled' }}
      onDone={onDone}
      run={(receipt) => post('/desk/api/afa/complete', { reference, receipt })}
    />
  )
}

function Cancel({ registration, isRefunded, onDone }: ActsProps) {
  const { reference, fee, account_name: reseller } = registration
  const amount = formatGhs(fee)
  return (
    <Act
      label={afaWords.cancel}
      question={afaWords.cancelQuestion(nameOf(registration))}
      reason="needed"
      reasonHelp={afaWords.reasonHelp}
      isGrave
      topics={topics}
      button={{ variant: 'default' }}
      onDone={onDone}
      run={(reason) => post('/desk/api/afa/cancel', { reference, reason })}
    >
      <p>{isRefunded ? afaWords.refund(amount, reseller) : afaWords.noRefund(amount)}</p>
    </Act>
  )
}

export function AfaActs(props: ActsProps) {
  const { registration, onDone } = props
  const { status, is_mine: isMine, claimed_by: claimer, reference } = registration
  if (status === 'pending') {
    return (
      <>
        <Claim
          label={afaWords.claim}
          question={afaWords.claimQuestion(nameOf(registration))}
          claimed={{ references: [reference] }}
          onDone={onDone}
        />
        <Cancel {...props} />
      </>
    )
  }
  if (status !== 'processing') return null
  if (isMine) {
    return (
      <>
        <Complete {...props} />
        <Cancel {...props} />
      </>
    )
  }
  return (
    <Act
      label={afaWords.takeOver}
      question={afaWords.takeOverQuestion(claimer ?? '')}
      reason="needed"
      topics={topics}
      onDone={onDone}
      run={(reason) => post('/desk/api/afa/take-over', { reference, reason })}
    />
  )
}
