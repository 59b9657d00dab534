import { Link } from 'wouter'
import { fieldWords } from '../../both/field-words.ts'
import { Section } from '../../both/layout/page.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { State } from '../../both/list/state.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { accountWords as words } from '../words/accounts.ts'
import type { Account } from './account-calls.ts'

const tones = { pending: 'wait', active: 'done', revoked: 'plain' } as const

/** The keys of the account; they are approved and revoked on their own screen. */
export function KeySection({ account: { account_id: accountId, keys } }: { readonly account: Account }) {
  return (
    <Section title={words.keys} end={<Link href={`/keys?account=${accountId}`}>{words.manageKeys}</Link>}>
      <Rows label={words.keys} empty={{ title: words.keysEmpty }}>
        {keys.map((key) => (
          <Row
            key={key.key_id}
            title={`${words.keyTypes[key.type]} …${key.hint}`}
            detail={
              key.last_used_at === null
                ? fieldWords.never
                : `${fieldWords.lastUsed} ${relativeMoment(key.last_used_at)}, ${key.last_used_ip ?? ''}`
            }
            end={<State tone={tones[key.status]}>{words.keyStates[key.status]}</State>}
          />
        ))}
      </Rows>
    </Section>
  )
}
