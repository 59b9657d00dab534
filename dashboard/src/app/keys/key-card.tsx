import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { State } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { useMay } from '../me.ts'
import { keyWords } from '../words/keys.ts'
import { KeyFacts } from './key-facts.tsx'
import { stateOf, type TypedKey } from './key-type.ts'
import css from './keys.module.css'

type Step = { readonly href: string; readonly words: string; readonly variant?: 'light' }

/** The next step for a type of key: make a key, manage it, or first do what a key needs. */
function nextStep({ type, obstacle, key, old_key: oldKey }: TypedKey, mayManage: boolean): Step | undefined {
  if (key ?? oldKey) return { href: `/developer/keys/${type}`, words: keyWords.manage, variant: 'light' }
  if (!mayManage) return undefined
  if (obstacle === null) return { href: `/developer/new/${type}`, words: keyWords.make }
  if (obstacle === 'policy_not_accepted') return { href: '/developer/policy', words: keyWords.readPolicy }
  return obstacle === 'business_needed' ? { href: '/business', words: keyWords.askApproval, variant: 'light' } : undefined
}

/** One type of key: its state in large letters, who must act, and the next step. */
export function KeyCard({ typed }: { readonly typed: TypedKey }) {
  const { state, tone } = stateOf(typed)
  const step = nextStep(typed, useMay('manage_keys'))
  const act = state === 'none' ? (typed.obstacle_message ?? keyWords.acts.none) : keyWords.acts[state]
  return (
    <section className={css.card} aria-labelledby={`key-${typed.type}`}>
      <div>
        <h2 id={`key-${typed.type}`}>{keyWords.types[typed.type]}</h2>
        <p className="soft fine">{keyWords.areas[typed.type]}</p>
      </div>
      <div className={css.big}>{keyWords.states[state]}</div>
      <State tone={typed.obstacle !== null && state === 'none' ? 'wait' : tone}>
        <span style={{ whiteSpace: 'normal' }}>{act}</span>
      </State>
      {typed.key && (
        <>
          <b className={css.key}>
            {typed.key.prefix}…{typed.key.hint}
          </b>
          <KeyFacts made={typed.key} />
        </>
      )}
      {typed.old_key?.ends_at && (
        <p className="soft fine">
          {keyWords.oldKey(typed.old_key.hint)}: {keyWords.oldWorksUntil} <Moment at={typed.old_key.ends_at} />
        </p>
      )}
      <div className={css.actions}>
        {step && (
          <Button component={Link} href={step.href} variant={step.variant ?? 'filled'}>
            {step.words}
          </Button>
        )}
      </div>
    </section>
  )
}
