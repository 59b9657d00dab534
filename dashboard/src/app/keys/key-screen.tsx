import { Button } from '@mantine/core'
import { Link, useLocation, useParams } from 'wouter'
import { remove } from '../../both/api/call-api.ts'
import { Act } from '../../both/form/act.tsx'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { useMay } from '../me.ts'
import { frameWords } from '../words/frame.ts'
import { keyWords } from '../words/keys.ts'
import { AddressesForm } from './addresses-form.tsx'
import { KeyCard } from './key-card.tsx'
import { KeyFacts } from './key-facts.tsx'
import { type LiveKey, stateOf, type TypedKey, useKeys } from './key-type.ts'
import css from './keys.module.css'

type EndKeyProps = {
  readonly keyId: string
  readonly label: string
  readonly question: string
  readonly onDone?: () => void
}

/** The button that ends a key at once, after a question. */
function EndKey({ keyId, ...act }: EndKeyProps) {
  return (
    <Act
      {...act}
      action={keyWords.revokeNow}
      no={keyWords.keep}
      isGrave
      button={{ variant: 'default' }}
      run={() => remove('/app/api/keys/{key_id}', { key_id: keyId })}
      topics={['keys']}
    >
      <p>{keyWords.revokeDetail}</p>
    </Act>
  )
}

/** The old key, which still works for some days beside the new one. */
function OldKey({ old }: { readonly old: LiveKey }) {
  return (
    <Section title={keyWords.oldKey(old.hint)}>
      <Card tone="gold">
        <KeyFacts made={old} />
      </Card>
      {useMay('manage_keys') && (
        <div className={css.actions}>
          <EndKey keyId={old.key_id} label={keyWords.endOld} question={keyWords.endOldQuestion} />
        </div>
      )}
    </Section>
  )
}

function RevokeKey({ keyId }: { readonly keyId: string }) {
  const [, go] = useLocation()
  return (
    <Section title={keyWords.revoke}>
      <p className={css.before}>{keyWords.revokeDetail}</p>
      <EndKey keyId={keyId} label={keyWords.revoke} question={keyWords.revokeQuestion} onDone={() => go('/developer')} />
    </Section>
  )
}

type CurrentKeyProps = { readonly typed: TypedKey; readonly made: LiveKey; readonly yourAddress: string }

function CurrentKey({ typed, made, yourAddress }: CurrentKeyProps) {
  const mayManage = useMay('manage_keys')
  const { state } = stateOf(typed)
  return (
    <>
      <Card tone={state === 'pending' ? 'gold' : 'plain'}>
        <div className={css.big}>{keyWords.states[state]}</div>
        <p className="soft fine">{keyWords.acts[state]}</p>
        <p className={css.key}>
          <b>
            {made.prefix}…{made.hint}
          </b>
        </p>
        <KeyFacts made={made} />
      </Card>
      {mayManage && (
        <>
          <AddressesForm keyId={made.key_id} addresses={made.addresses} yourAddress={yourAddress} />
          {typed.obstacle === null && (
            <Section title={keyWords.replace}>
              <div className={css.actions}>
                <Button component={Link} href={`/developer/new/${typed.type}`} variant="default">
                  {keyWords.replace}
                </Button>
              </div>
            </Section>
          )}
          <RevokeKey keyId={made.key_id} />
        </>
      )}
    </>
  )
}

/** One key: its state, its addresses, and how to replace or end it. Without a type in the address: the SMS key. */
export default function KeyScreen() {
  const { type = 'sms' } = useParams<{ type?: string }>()
  const keys = useKeys()
  const typed = keys.data?.keys.find((each) => each.type === type)
  return (
    <Page title={typed ? keyWords.types[typed.type] : frameWords.developer}>
      <QueryAnswer query={keys}>
        {({ your_address: yourAddress }) => {
          if (!typed) return <Empty title={keyWords.noSuchType} />
          const { key, old_key: old } = typed
          return (
            <>
              {key ? (
                <CurrentKey key={key.key_id} typed={typed} made={key} yourAddress={yourAddress} />
              ) : (
                <KeyCard typed={typed} />
              )}
              {old && <OldKey old={old} />}
            </>
          )
        }}
      </QueryAnswer>
    </Page>
  )
}
