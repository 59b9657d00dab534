import { post } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { count } from '../../both/money/read-amount.ts'
import { routeWords } from '../words/suppliers.ts'
import type { DeskRoute } from './ask-suppliers.ts'
import { nameOfSelected, RouteChangePreview, type SelectedRoutes } from './route-change-preview.tsx'

const topics = ['suppliers', 'orders', 'alarms'] as const
const button = { size: 'compact-sm' } as const

export const priorityField = (initial: number) =>
  ({ kind: 'amount', of: count, label: routeWords.priority, help: routeWords.priorityHelp, initial }) as const

/** A button that pauses routes. Its dialog first shows where their orders would go. */
export function PauseRoutes({
  selected,
  label = fieldWords.pause,
}: {
  readonly selected: SelectedRoutes
  readonly label?: string
}) {
  return (
    <Act
      label={label}
      question={routeWords.pauseQuestion(nameOfSelected(selected))}
      action={fieldWords.pause}
      reason="needed"
      isGrave
      button={button}
      topics={topics}
      fields={{
        minutes: { kind: 'amount', of: count, label: routeWords.minutes, help: routeWords.minutesHelp, isOptional: true },
      }}
      run={(reason, { minutes }) => post('/desk/api/routes/pause', { ...selected, reason, minutes })}
    >
      <RouteChangePreview selected={selected} change="pause" />
    </Act>
  )
}

/** A button that opens paused routes. Its dialog first shows which orders would then be sent. */
export function ResumeRoutes({
  selected,
  label = fieldWords.resume,
}: {
  readonly selected: SelectedRoutes
  readonly label?: string
}) {
  return (
    <Act
      label={label}
      question={routeWords.resumeQuestion(nameOfSelected(selected))}
      action={fieldWords.resume}
      reason="possible"
      button={button}
      topics={topics}
      run={(reason) => post('/desk/api/routes/resume', { ...selected, ...(reason !== '' && { reason }) })}
    >
      <RouteChangePreview selected={selected} change="resume" />
    </Act>
  )
}

function ChangePriority({ route }: { readonly route: DeskRoute }) {
  const { supplier, product, network, priority: before } = route
  return (
    <Act
      label={fieldWords.change}
      question={routeWords.changeQuestion(route.route)}
      reason="needed"
      button={{ ...button, variant: 'subtle' }}
      topics={topics}
      fields={{ priority: priorityField(before) }}
      run={(reason, { priority }) => post('/desk/api/routes', { supplier, product, network, priority, reason })}
      effect={({ priority }) => <p>{routeWords.becomes(before, priority ?? before)}</p>}
    />
  )
}

export function RouteActs({ route }: { readonly route: DeskRoute }) {
  const { supplier, product, network } = route
  const selected = { supplier, product, network }
  return (
    <>
      {route.state === 'paused' ? <ResumeRoutes selected={selected} /> : <PauseRoutes selected={selected} />}
      <ChangePriority route={route} />
    </>
  )
}
