import { useState } from 'react'
import { Link } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { usePages } from '../../both/api/use-read.ts'
import { Act } from '../../both/form/act.tsx'
import { Card, Section } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/query-states.tsx'
import { MorePages } from '../../both/list/more-pages.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { EqualProposalCard } from '../approvals/equal-proposal-card.tsx'
import { useMay } from '../me.ts'
import { voucherWords } from '../words/vouchers.ts'
import type { VoucherType } from './type-acts.tsx'
import css from './vouchers.module.css'

/**
 * `sameId` is the id of an equal proposal that waits already, so nothing new was proposed. Undefined: a new one was proposed.
 */
type Proposed = { readonly sameId: string | undefined }

type WithdrawProps = {
  readonly type: VoucherType
  readonly count: number
  readonly label: string
  /** The import whose unsold vouchers are withdrawn. Absent: all unsold vouchers of the type. */
  readonly batchId?: string
  readonly onProposed: (proposed: Proposed) => void
}

function Withdraw({ type, count, label, batchId, onProposed }: WithdrawProps) {
  return (
    <Act
      label={label}
      question={voucherWords.withdrawQuestion(count, type.name)}
      reason="needed"
      isGrave
      topics={['vouchers', 'approvals']}
      button={{ variant: 'default', size: 'compact-sm' }}
      run={async (reason) => {
        const { status, approval_id: id } = await post('/desk/api/vouchers/types/{type_id}/withdraw', {
          type_id: type.type_id,
          reason,
          ...(batchId === undefined ? { is_all: true } : { batch_id: batchId }),
        })
        onProposed({ sameId: status === 'same_waits' ? id : undefined })
      }}
    >
      <p>{voucherWords.withdrawHelp}</p>
    </Act>
  )
}

function AfterProposing({ proposed, onDone }: { readonly proposed: Proposed | undefined; readonly onDone: () => void }) {
  if (proposed === undefined) return null
  if (proposed.sameId !== undefined) return <EqualProposalCard id={proposed.sameId} onDone={onDone} />
  return (
    <Card tone="gold">
      <b>{voucherWords.proposed}</b> <Link href="/approvals">{voucherWords.toApprovals}</Link>
    </Card>
  )
}

/** The imports of a type, and how many vouchers of each are left. */
export function Batches({ type }: { readonly type: VoucherType }) {
  const mayChange = useMay('manage_stock')
  const [proposed, setProposed] = useState<Proposed>()
  const { type_id: typeId } = type
  const query = usePages('vouchers', '/desk/api/vouchers/types/{type_id}/batches', { type_id: typeId, limit: 20 })
  const acts = (count: number, label: string, batchId?: string) =>
    mayChange &&
    count > 0 && (
      <Withdraw type={type} count={count} label={label} {...(batchId !== undefined && { batchId })} onProposed={setProposed} />
    )
  return (
    <Section title={voucherWords.batches} end={acts(type.available_count, voucherWords.withdrawAll)}>
      <AfterProposing proposed={proposed} onDone={() => setProposed(undefined)} />
      <MorePages query={query} more={voucherWords.more}>
        {(pages) => {
          const batches = pages.flatMap((page) => page.batches)
          if (batches.length === 0) return <Empty title={voucherWords.noBatches} />
          return (
            <div className={css.batches}>
              <Rows label={voucherWords.batches}>
                {batches.map((batch) => (
                  <Row
                    key={batch.batch_id}
                    title={`${voucherWords.batchLeft(batch.left, batch.imported)}${batch.withdrawn > 0 ? voucherWords.batchMore(batch.withdrawn) : ''}`}
                    detail={[exactMoment(batch.imported_at), batch.file_name, batch.imported_by].filter(Boolean).join(' · ')}
                    end={acts(batch.left, voucherWords.withdraw, batch.batch_id)}
                  />
                ))}
              </Rows>
            </div>
          )
        }}
      </MorePages>
    </Section>
  )
}
