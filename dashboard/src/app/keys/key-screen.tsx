import { Button } from '@mantine/core'
import { Link, useLocation, useParams } from 'wouter'
import { remove } from '../../both/api/call-api.ts'
import { Act } from '../../both/form/act.tsx'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { Asked, Empty } from '../../both/layout/wait.tsx'
import { useMay } from '../me.ts'
import { frameWords } from '../words/frame.ts'
import { keyWords } from '../words/keys.ts'
import { AddressesForm } from './addresses-form.tsx'
import { KeyCard } from './key-card.tsx'
import { KeyFacts } from './key-facts.tsx'
import { stateOf, type TypedKey, useKeys } from './key-type.ts'
import css from './keys.module.css'

function RevokeKey({ keyId }: { readonly keyId: string }) {
  const [, go] = useLocation()
  return (
    <Section title={keyWords.revoke}>
      <p className={css.before}>{keyWords.revokeDetail}</p>
      <Act
        label={keyWords.revoke}
        question={keyWords.revokeQuestion}
        action={keyWords.revokeNow}
        no={keyWords.keep}
        isGrave
        button={{ variant: 'default' }}
        run={() => remove('/app/api/keys/{key_id}', { key_id: keyId })}
        topics={['keys']}
        onDone={() => go('/developer')}
      >
        <p>{keyWords.revokeDetail}</p>
      </Act>
    </Section>
  )
}

type LiveKeyProps = { readonly typed: TypedKey; readonly made: NonNullable<TypedKey['key']>; readonly yourAddress: string }

function LiveKey({ typed, made, yourAddress }: LiveKeyProps) {
  const mayManage = useMay('manage_keys')
  const { state } = stateOf(typed)
  return (
    <>
      <Card tone={state === 'pending' ? 'gold' : 'plain'}>
        <div className={css.big}>{keyWords.states[state]}</div>
        <p className={css.soft}>{keyWords.acts[state]}</p>
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
              <p>{keyWords.oldStops}.</p>
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
      <Asked query={keys}>
        {({ your_address: yourAddress }) => {
          if (!typed) return <Empty title={keyWords.noSuchType} />
          if (!typed.key) return <KeyCard typed={typed} />
          return <LiveKey key={typed.key.key_id} typed={typed} made={typed.key} yourAddress={yourAddress} />
        }}
      </Asked>
    </Page>
  )
}
