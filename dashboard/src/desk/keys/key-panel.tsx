import { Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Act } from '../../both/form/act.tsx'
import { Asked } from '../../both/layout/wait.tsx'
import { State } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { Acts, BeforeAfter, Facts, Panel } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { keyStates, keyWords as words } from '../words/keys.ts'

type Key = components['schemas']['DeskKey']
type ActProps = { readonly shown: Key; readonly onActed: () => void }

const topics = ['keys', 'accounts'] as const
const pathOf = ({ key_id }: Key) => ({ path: { key_id } })
const shortOf = (address: string) => address.replace(/\/(?:32|128)$/, '')
const stateWord = (status: Key['status']) => keyStates[status].word

function Approve({ shown, onActed }: ActProps) {
  return (
    <Act
      label={words.approve}
      question={words.approveQuestion(shown.account_name)}
      button={{ variant: 'filled' }}
      run={() => answerOf(() => api.POST('/desk/api/keys/{key_id}/approve', { params: pathOf(shown) }))}
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
      label={isWaiting ? words.decline : words.revoke}
      question={isWaiting ? words.declineQuestion(name) : words.revokeQuestion(name)}
      reason="needed"
      reasonHelp={words.reasonHelp}
      isGrave
      run={(reason) => answerOf(() => api.POST('/desk/api/keys/{key_id}/revoke', { params: pathOf(shown), body: { reason } }))}
      topics={topics}
      onDone={onActed}
    >
      <BeforeAfter before={stateWord(shown.status)} after={stateWord('revoked')} />
      <p>{isWaiting ? words.declineLead : words.revokeLead}</p>
    </Act>
  )
}

function SetAddresses({ shown, onActed }: ActProps) {
  const [text, setText] = useState(shown.addresses.map(shortOf).join('\n'))
  const addresses = text.split(/[\s,]+/).filter((word) => word !== '')
  return (
    <Act
      label={words.setAddresses}
      question={words.addressesQuestion}
      action={words.save}
      run={() => answerOf(() => api.POST('/desk/api/keys/{key_id}/addresses', { params: pathOf(shown), body: { addresses } }))}
      topics={topics}
      onDone={onActed}
    >
      <Textarea
        label={words.addresses}
        description={words.addressesHelp}
        autosize
        minRows={3}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </Act>
  )
}

function factsOf(shown: Key) {
  const { last_used_at: usedAt, revoked_at: revokedAt } = shown
  return [
    {
      label: words.account,
      value: <Link href={`/accounts/${shown.account_id}`}>{`${shown.account_name} · ${shown.email}`}</Link>,
    },
    { label: words.role, value: words.roles[shown.role] },
    { label: words.made, value: <Moment at={shown.created_at} /> },
    { label: words.lastUsed, value: usedAt === null ? words.never : <Moment at={usedAt} /> },
    { label: words.lastAddress, value: shown.last_used_address },
    { label: words.from, value: shown.addresses.length === 0 ? words.everywhere : shown.addresses.map(shortOf).join(', ') },
    { label: words.revokedAt, value: revokedAt && <Moment at={revokedAt} /> },
  ]
}

/** One key: its account and its use; to approve it, to decline it, and to set its addresses. */
export function KeyPanel({ id, onActed }: { readonly id: string; readonly onActed: () => void }) {
  const mayManage = useMay('manage_keys')
  const query = useQuery({
    queryKey: ['keys', 'one', id],
    queryFn: ({ signal }) => answerOf(() => api.GET('/desk/api/keys/{key_id}', { params: { path: { key_id: id } }, signal })),
  })
  return (
    <Asked query={query}>
      {(shown) => (
        <Panel
          title={<code>{`${shown.prefix}…${shown.hint}`}</code>}
          state={<State tone={keyStates[shown.status].tone}>{stateWord(shown.status)}</State>}
          detail={`${words.types[shown.type]} · ${shown.account_name}`}
        >
          {mayManage && shown.status !== 'revoked' && (
            <Acts>
              {shown.status === 'pending' && <Approve shown={shown} onActed={onActed} />}
              <Revoke shown={shown} onActed={onActed} />
              <SetAddresses key={shown.addresses.join()} shown={shown} onActed={onActed} />
            </Acts>
          )}
          <Facts label={words.facts} facts={factsOf(shown)} />
        </Panel>
      )}
    </Asked>
  )
}
