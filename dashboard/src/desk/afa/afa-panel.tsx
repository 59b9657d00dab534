import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Big } from '../../both/layout/page.tsx'
import { State, type Tone } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import look from '../frame/look.module.css'
import { Facts, Panel } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { afaWords } from '../words/afa.ts'
import css from './afa.module.css'
import { type ActsProps, AfaActs, nameOf, type Registration } from './afa-acts.tsx'

type Identity = Schema<'AfaIdentity'>

const tones: Readonly<Record<Registration['status'], Tone>> = {
  pending: 'wait',
  processing: 'wait',
  completed: 'done',
  cancelled: 'fail',
}

/** The state of a registration, and who has claimed it. */
export function AfaState({ registration }: { readonly registration: Registration }) {
  const { status, is_mine: isMine, claimed_by: claimer } = registration
  const word = afaWords.statusWords[status]
  return (
    <State tone={tones[status]}>
      {status === 'processing' && claimer !== null ? (isMine ? afaWords.isMine : afaWords.worksOnIt(claimer)) : word}
    </State>
  )
}

function Reveal({ registration, onShow }: { readonly registration: Registration; readonly onShow: (data: Identity) => void }) {
  const { reference } = registration
  return (
    <Act
      label={afaWords.reveal}
      question={afaWords.revealQuestion(nameOf(registration))}
      reason="needed"
      topics={['log']}
      button={{ size: 'compact-sm' }}
      run={async (reason) => onShow(await post('/desk/api/afa/reveal', { reference, reason }))}
    >
      <p>{afaWords.revealHelp}</p>
    </Act>
  )
}

function Person({ registration }: { readonly registration: Registration }) {
  const mayWork = useMay('settle_orders')
  const [clear, setClear] = useState<Identity>()
  const { identity, is_unreadable: isUnreadable } = registration
  const shown = clear ?? identity
  if (!shown) return <p className="soft fine">{isUnreadable ? afaWords.unreadable : afaWords.purged}</p>
  return (
    <>
      <Facts
        label={fieldWords.person}
        facts={Object.fromEntries(
          (Object.keys(afaWords.fields) as (keyof Identity)[]).map((name) => [afaWords.fields[name], shown[name]]),
        )}
      />
      {clear && (
        <Button variant="default" size="compact-sm" onClick={() => setClear(undefined)}>
          {afaWords.hide}
        </Button>
      )}
      {!clear && mayWork && <Reveal registration={registration} onShow={setClear} />}
    </>
  )
}

/** Reads one registration by its reference, also when it has ended and left the list. */
function useRegistration(listed: Registration): Registration {
  const query = { state: 'all', reference: listed.reference, limit: 1 } as const
  const { data } = useRead('afa', '/desk/api/afa', { ...query })
  return data?.orders[0] ?? listed
}

/** One registration: the applicant, how long it waits, who has claimed it, and the actions. */
export function AfaPanel({ registration: listed, isRefunded, onDone }: ActsProps) {
  const mayWork = useMay('settle_orders')
  const registration = useRegistration(listed)
  return (
    <Panel title={nameOf(registration)} detail={<code>{registration.reference}</code>}>
      <p className={css.states}>
        <AfaState registration={registration} /> <Moment at={registration.created_at} />
      </p>
      <Big label={fieldWords.fee} value={formatGhs(registration.fee)} />
      {mayWork && (
        <div className={look.acts}>
          <AfaActs registration={registration} isRefunded={isRefunded} onDone={onDone} />
        </div>
      )}
      <Person registration={registration} />
      <p className={css.links}>
        <Link href={`/accounts/${registration.account_id}`}>{registration.account_name}</Link>
        <Link href={`/orders/${registration.order_id}`}>{fieldWords.theOrder}</Link>
      </p>
    </Panel>
  )
}
