import { Button } from '@mantine/core'
import { Fragment, useState } from 'react'
import { post } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { State, type Tone } from '../../both/list/state.tsx'
import { showDay, showTime } from '../../both/moments/format-moment.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { roleNames } from '../../both/role-words.ts'
import { Panel } from '../frame/panel.tsx'
import { SmallTable } from '../frame/small-table.tsx'
import { useMay } from '../me.ts'
import { packageWords } from '../words/packages.ts'
import { ChangeDialog } from './change-dialog.tsx'
import type { PackageEdit, PriceSet, PriceSetView } from './package-calls.ts'
import css from './packages.module.css'

const words = packageWords.sets

/** Makes an edit of the price list that sets the prices of a scheduled set. */
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
  const rows = lines.map(({ package_id: id, role, network, size, before, after, replaces, is_clash: isClash }) => ({
    key: `${id} ${role}`,
    cells: [
      <Fragment key="package">
        <b>
          {network} {size}
        </b>
        <span className={css.note}>{roleNames[role]}</span>
      </Fragment>,
      <Fragment key="before">
        {formatGhs(before)}
        {isClash && replaces !== null && (
          <span className={css.loss}>
            {words.now} {formatGhs(replaces)}, {words.clash}
          </span>
        )}
      </Fragment>,
      <b key="after">{formatGhs(after)}</b>,
    ],
  }))
  return <SmallTable label={words.panel} head={[fieldWords.package, words.expected, fieldWords.after]} figures={2} rows={rows} />
}

/** Puts held prices into effect although somebody has changed a price that they replace. */
function CarryOut({ setId: set_id, seen }: { readonly setId: string; readonly seen: string }) {
  return (
    <Act
      label={words.carryOut}
      question={words.carryOutQuestion}
      reason="needed"
      topics={['packages', 'alarms']}
      fields={{ is_below_cost_allowed: { kind: 'tick', label: packageWords.allowLoss } }}
      run={(reason, given) => post('/desk/api/packages/scheduled/{set_id}/carry-out', { set_id, reason, seen, ...given })}
    >
      <p>{words.carryOutHelp}</p>
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
        run={(reason) => post('/desk/api/packages/scheduled/{set_id}/cancel', { set_id: setId, reason: reason || undefined })}
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
  const query = useRead('packages', '/desk/api/packages/scheduled/{set_id}', { set_id: setId })
  return (
    <QueryAnswer query={query}>
      {(set) => (
        <Panel title={showMinute(set.effective_at)} state={<SetState set={set} />}>
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
        </Panel>
      )}
    </QueryAnswer>
  )
}

const tones: Readonly<Record<PriceSet['state'], Tone>> = { waiting: 'wait', held: 'fail', done: 'done', cancelled: 'plain' }

/** The state of scheduled prices, with a warning when they will be held. */
export function SetState({ set: { state, clashes } }: { readonly set: Pick<PriceSet, 'state' | 'clashes'> }) {
  return (
    <span className={css.states}>
      <State tone={tones[state]}>{words.states[state]}</State>
      {state === 'waiting' && clashes > 0 && <State tone="fail">{words.clashes(clashes)}</State>}
    </span>
  )
}

export const showMinute = (at: string): string => `${showDay(at)}, ${showTime(at)}`
