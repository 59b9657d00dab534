import { Link } from 'wouter'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { State } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { roleNames } from '../../both/role-words.ts'
import { Acts, BeforeAfter, Facts, Panel } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { keyStates, keyWords as words } from '../words/keys.ts'

type Key = Schema<'DeskKey'>
type ActProps = { readonly shown: Key; readonly onActed: () => void }

const topics = ['keys', 'accounts'] as const
const shortOf = (address: string) => address.replace(/\/(?:32|128)$/, '')
const stateWord = (status: Key['status']) => keyStates[status].word

function Approve({ shown, onActed }: ActProps) {
  return (
    <Act
      label={fieldWords.approve}
      question={words.approveQuestion(shown.account_name)}
      button={{ variant: 'filled' }}
      run={() => post('/desk/api/keys/{key_id}/approve', { key_id: shown.key_id })}
      topics={topics}
      onDone={onActed}
    >
      <BeforeAfter before={stateWord('pending')} after={stateWord('active')} />
      <p>{words.approveLead}</p>
    </Act>
  )
}

/** Declines a key that waits, or revokes one that works. */
function Revoke({ shown, onActed }: ActProps) {
  const isWaiting = shown.status === 'pending'
  const name = shown.account_name
  return (
    <Act
      label={isWaiting ? fieldWords.decline : words.revoke}
      question={isWaiting ? words.declineQuestion(name) : words.revokeQuestion(name)}
      reason="needed"
      reasonHelp={fieldWords.accountReadsReason}
      isGrave
      run={(reason) => post('/desk/api/keys/{key_id}/revoke', { key_id: shown.key_id, reason })}
      topics={topics}
      onDone={onActed}
    >
      <BeforeAfter before={stateWord(shown.status)} after={stateWord('revoked')} />
      <p>{isWaiting ? words.declineLead : words.revokeLead}</p>
    </Act>
  )
}

function SetAddresses({ shown, onActed }: ActProps) {
  const initial = shown.addresses.map(shortOf).join('\n')
  return (
    <Act
      label={words.setAddresses}
      question={words.addressesQuestion}
      action={fieldWords.save}
      fields={{ addresses: { kind: 'text', label: words.addresses, help: words.addressesHelp, lines: 3, initial } }}
      run={(_reason, { addresses }) => {
        const given = addresses.split(/[\s,]+/).filter((word) => word !== '')
        return post('/desk/api/keys/{key_id}/addresses', { key_id: shown.key_id, addresses: given })
      }}
      topics={topics}
      onDone={onActed}
    />
  )
}

function factsOf(shown: Schema<'DeskKeyInFull'>) {
  const { last_used_at: usedAt, revoked_at: revokedAt, ends_at: endsAt } = shown
  return {
    [fieldWords.account]: <Link href={`/accounts/${shown.account_id}`}>{`${shown.account_name} · ${shown.email}`}</Link>,
    [words.role]: roleNames[shown.role],
    [fieldWords.made]: <Moment at={shown.created_at} />,
    [fieldWords.lastUsed]: usedAt === null ? fieldWords.never : <Moment at={usedAt} />,
    [words.lastAddress]: shown.last_used_address,
    [words.from]: shown.addresses.length === 0 ? words.everywhere : shown.addresses.map(shortOf).join(', '),
    [words.callsToday]: shown.calls_today,
    [words.refusedToday]: shown.refused_today,
    [words.endsAt]: revokedAt === null && endsAt && <Moment at={endsAt} />,
    [words.revokedAt]: revokedAt && <Moment at={revokedAt} />,
  }
}

/** Shows one key, its account and its use. Staff who manage keys approve, decline or revoke it here, and set its addresses. */
export function KeyPanel({ id, onActed }: { readonly id: string; readonly onActed: () => void }) {
  const mayManage = useMay('manage_keys')
  const query = useRead('keys', '/desk/api/keys/{key_id}', { key_id: id })
  return (
    <QueryAnswer query={query}>
      {(shown) => (
        <Panel
          title={<code>{`${shown.prefix}…${shown.hint}`}</code>}
          state={<State tone={keyStates[shown.status].tone}>{stateWord(shown.status)}</State>}
          detail={`${words.types[shown.type]} · ${shown.account_name}`}
        >
          {mayManage && shown.status !== 'revoked' && (
            <Acts>
              {shown.status === 'pending' && <Approve shown={shown} onActed={onActed} />}
              <Revoke key={shown.status} shown={shown} onActed={onActed} />
              <SetAddresses key={shown.addresses.join()} shown={shown} onActed={onActed} />
            </Acts>
          )}
          <Facts label={words.facts} facts={factsOf(shown)} />
        </Panel>
      )}
    </QueryAnswer>
  )
}
