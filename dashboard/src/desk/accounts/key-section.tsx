import { Link } from 'wouter'
import { fieldWords } from '../../both/field-words.ts'
import { Section } from '../../both/layout/page.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { StateOf } from '../../both/list/state.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { webhookWords } from '../../both/webhooks/webhook-words.ts'
import { accountWords as words } from '../words/accounts.ts'
import { frameWords } from '../words/frame.ts'
import { keyStates, keyWords } from '../words/keys.ts'
import type { Account } from './account-calls.ts'

/** The keys of the account; they are approved and revoked on their own screen. */
export function KeySection({ account: { account_id: accountId, keys } }: { readonly account: Account }) {
  return (
    <Section
      title={frameWords.keys}
      end={
        <>
          <Link href={`/accounts/${accountId}/webhooks`}>{webhookWords.title}</Link>{' '}
          <Link href={`/keys?account=${accountId}`}>{words.manageKeys}</Link>
        </>
      }
    >
      <Rows label={frameWords.keys} empty={{ title: words.keysEmpty }}>
        {keys.map((key) => (
          <Row
            key={key.key_id}
            title={`${keyWords.types[key.type]} …${key.hint}`}
            detail={
              key.last_used_at === null
                ? fieldWords.never
                : `${fieldWords.lastUsed} ${relativeMoment(key.last_used_at)}, ${key.last_used_ip ?? ''}`
            }
            end={<StateOf {...keyStates[key.status]} />}
          />
        ))}
      </Rows>
    </Section>
  )
}
