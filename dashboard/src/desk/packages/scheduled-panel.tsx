import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Act } from '../../both/form/act.tsx'
import { Asked } from '../../both/layout/wait.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { useMay } from '../me.ts'
import { packageWords } from '../words/packages.ts'
import { ChangeDialog } from './change-dialog.tsx'
import type { PackageEdit, PriceSetView } from './package-calls.ts'
import css from './packages.module.css'
import { SetState, showMinute } from './set-state.tsx'

const words = packageWords.sets

/** The prices of a set as the edit that makes them. */
function editOf({ lines }: PriceSetView): PackageEdit {
  const byPackage = Map.groupBy(lines, ({ package_id: id }) => id)
  const cells = [...byPackage.values()].flatMap((prices) => {
    const [first] = prices
    if (!first) return []
    const amounts = Object.fromEntries(prices.map(({ role, after }) => [`price_${role}`, after]))
    return { network: first.network, volume_gb: first.volume_gb, ...amounts }
  })
  return { cells }
}

function Lines({ lines }: { readonly lines: PriceSetView['lines'] }) {
  return (
    <table className={css.diff} aria-label={words.panel}>
      <thead>
        <tr>
          <th scope="col">{packageWords.package}</th>
          <th scope="col" className={css.figure}>
            {words.expected}
          </th>
          <th scope="col" className={css.figure}>
            {packageWords.after}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ package_id: id, role, network, size, before, after, replaces, is_clash: isClash }) => (
          <tr key={`${id} ${role}`}>
            <td>
              <b>
                {network} {size}
              </b>
              <span className={css.note}>{packageWords.roles[role]}</span>
            </td>
            <td className={css.figure}>
              {formatGhs(before)}
              {isClash && replaces !== null && (
                <span className={css.loss}>
                  {words.now} {formatGhs(replaces)}, {words.clash}
                </span>
              )}
            </td>
            <td className={css.figure}>
              <b>{formatGhs(after)}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Carries out held prices although somebody changed one of them since. */
function CarryOut({ setId, seen }: { readonly setId: string; readonly seen: string }) {
  const [isAllowed, setAllowed] = useState(false)
  return (
    <Act
      label={words.carryOut}
      question={words.carryOutQuestion}
      reason="needed"
      topics={['packages', 'alarms']}
      run={(reason) =>
        answerOf(() =>
          api.POST('/desk/api/packages/scheduled/{set_id}/carry-out', {
            params: { path: { set_id: setId } },
            body: { reason, is_below_cost_allowed: isAllowed, seen },
          }),
        )
      }
    >
      <p>{words.carryOutHelp}</p>
      <Checkbox
        mt={12}
        label={packageWords.allowLoss}
        checked={isAllowed}
        onChange={({ currentTarget }) => setAllowed(currentTarget.checked)}
      />
    </Act>
  )
}

function Acts({ set }: { readonly set: PriceSetView }) {
  const { set_id: setId, seen, state, effective_at: effectiveAt, note } = set
  const [isChanging, setChanging] = useState(false)
  const mayChange = useMay('manage_catalogue')
  if (!mayChange || state === 'done' || state === 'cancelled') return null
  return (
    <div className={css.acts}>
      {state === 'held' && <CarryOut setId={setId} seen={seen} />}
      <Button variant="light" onClick={() => setChanging(true)}>
        {words.change}
      </Button>
      <Act
        label={words.cancel}
        question={words.cancelQuestion}
        reason="possible"
        isGrave
        topics={['packages', 'alarms']}
        run={(reason) =>
          answerOf(() =>
            api.POST('/desk/api/packages/scheduled/{set_id}/cancel', {
              params: { path: { set_id: setId } },
              body: reason === '' ? {} : { reason },
            }),
          )
        }
      >
        <p>{words.cancelHelp}</p>
      </Act>
      {isChanging && (
        <ChangeDialog
          title={words.changeTitle}
          edit={editOf(set)}
          scheduled={{ setId, effectiveAt, note }}
          onClose={() => setChanging(false)}
        />
      )}
    </div>
  )
}

/** A set of scheduled prices: its minute, its prices, the prices that they replace, and the actions on it. */
export function ScheduledPanel({ setId }: { readonly setId: string }) {
  const query = useQuery({
    queryKey: ['packages', 'set', setId],
    queryFn: ({ signal }) =>
      answerOf(() => api.GET('/desk/api/packages/scheduled/{set_id}', { params: { path: { set_id: setId } }, signal })),
  })
  return (
    <Asked query={query}>
      {(set) => (
        <>
          <div className={css.head}>
            <h2>{showMinute(set.effective_at)}</h2>
            <SetState set={set} />
          </div>
          {set.note !== null && <p>{set.note}</p>}
          <p className={css.note}>
            {set.made_by}, <Moment at={set.made_at} />
          </p>
          {set.held_because !== null && <p className={css.loss}>{set.held_because}</p>}
          {set.ended_at !== null && (
            <p className={css.note}>
              {words.states[set.state]} {words.endedBy(set.ended_by ?? '')}, <Moment at={set.ended_at} />
            </p>
          )}
          <Acts set={set} />
          <Lines lines={set.lines} />
        </>
      )}
    </Asked>
  )
}
