import { Link } from 'wouter'
import { Card } from '../../both/layout/page.tsx'
import { switchWords } from '../words/switches.ts'
import type { Setting } from './show-value.ts'
import css from './switches.module.css'

/** Says of a setting that guards money or rights what loosening it takes, and shows the proposal that waits. */
export function Guard({ setting: { guards, proposal } }: { readonly setting: Setting }) {
  if (!guards) return null
  return (
    <>
      <p className={css.note}>{switchWords.takesTwo}</p>
      {proposal && (
        <Card tone="gold">
          <p>{switchWords.looseningWaits(proposal.by, proposal.before ?? '', proposal.after ?? '')}</p>
          <Link href={`/approvals/${proposal.approval_id}`}>{switchWords.seeProposal}</Link>
        </Card>
      )}
    </>
  )
}
