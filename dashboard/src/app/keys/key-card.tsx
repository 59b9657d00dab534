import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { State } from '../../both/list/state.tsx'
import { useMay } from '../me.ts'
import { keyWords } from '../words/keys.ts'
import { KeyFacts } from './key-facts.tsx'
import { stateOf, type TypedKey } from './key-type.ts'
import css from './keys.module.css'

/** The next step for a type of key: make a key, manage it, or first do what a key needs. */
function NextStep({ typed }: { readonly typed: TypedKey }) {
  const mayManage = useMay('manage_keys')
  const { type, obstacle, key } = typed
  if (key) {
    return (
      <Button component={Link} href={`/developer/keys/${type}`} variant="light">
        {keyWords.manage}
      </Button>
    )
  }
  if (!mayManage) return null
  if (obstacle === null) {
    return (
      <Button component={Link} href={`/developer/new/${type}`}>
        {keyWords.make}
      </Button>
    )
  }
  if (obstacle === 'policy_not_accepted') {
    return (
      <Button component={Link} href="/developer/policy">
        {keyWords.readPolicy}
      </Button>
    )
  }
  return obstacle === 'business_needed' ? (
    <Button component={Link} href="/business" variant="light">
      {keyWords.askApproval}
    </Button>
  ) : null
}

/** One type of key: its state in large letters, who must act, and the next step. */
export function KeyCard({ typed }: { readonly typed: TypedKey }) {
  const { state, tone } = stateOf(typed)
  const act = state === 'none' ? (typed.obstacle_message ?? keyWords.acts.none) : keyWords.acts[state]
  return (
    <section className={css.card} aria-labelledby={`key-${typed.type}`}>
      <div>
        <h2 id={`key-${typed.type}`}>{keyWords.types[typed.type]}</h2>
        <p className={css.soft}>{keyWords.areas[typed.type]}</p>
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
      <div className={css.actions}>
        <NextStep typed={typed} />
      </div>
    </section>
  )
}
