import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Act } from '../../both/form/act.tsx'
import { routeWords } from '../words/suppliers.ts'
import type { DeskRoute } from './ask-suppliers.ts'
import { Foresight, nameOfSelected, type Selected } from './foresight.tsx'
import { NumberField } from './number-field.tsx'

const topics = ['suppliers', 'orders', 'alarms'] as const
const button = { size: 'compact-sm' } as const

/** A button that pauses routes. Its dialog first shows where their orders would go. */
export function PauseRoutes({ selected, label = routeWords.pause }: { readonly selected: Selected; readonly label?: string }) {
  const [minutes, setMinutes] = useState<number | ''>('')
  return (
    <Act
      label={label}
      question={routeWords.pauseQuestion(nameOfSelected(selected))}
      action={routeWords.pause}
      reason="needed"
      isGrave
      button={button}
      topics={topics}
      onDone={() => setMinutes('')}
      run={(reason) =>
        answerOf(() => api.POST('/desk/api/routes/pause', { body: { ...selected, reason, ...(minutes !== '' && { minutes }) } }))
      }
    >
      <Foresight selected={selected} change="pause" />
      <NumberField label={routeWords.minutes} description={routeWords.minutesHelp} value={minutes} onChange={setMinutes} />
    </Act>
  )
}

/** A button that opens paused routes. Its dialog first shows which orders would then be sent. */
export function ResumeRoutes({ selected, label = routeWords.resume }: { readonly selected: Selected; readonly label?: string }) {
  return (
    <Act
      label={label}
      question={routeWords.resumeQuestion(nameOfSelected(selected))}
      action={routeWords.resume}
      reason="possible"
      button={button}
      topics={topics}
      run={(reason) =>
        answerOf(() => api.POST('/desk/api/routes/resume', { body: { ...selected, ...(reason !== '' && { reason }) } }))
      }
    >
      <Foresight selected={selected} change="resume" />
    </Act>
  )
}

function ChangePriority({ route }: { readonly route: DeskRoute }) {
  const { supplier, product, network, priority: before } = route
  const [priority, setPriority] = useState(before)
  return (
    <Act
      label={routeWords.change}
      question={routeWords.changeQuestion(route.route)}
      reason="needed"
      button={{ ...button, variant: 'subtle' }}
      topics={topics}
      run={(reason) => answerOf(() => api.POST('/desk/api/routes', { body: { supplier, product, network, priority, reason } }))}
    >
      <p>{routeWords.becomes(before, priority)}</p>
      <NumberField
        label={routeWords.priority}
        description={routeWords.priorityHelp}
        value={priority}
        onChange={(value) => setPriority(value === '' ? 0 : value)}
      />
    </Act>
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
