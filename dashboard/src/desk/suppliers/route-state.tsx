import { fieldWords } from '../../both/field-words.ts'
import { State } from '../../both/list/state.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { routeWords } from '../words/suppliers.ts'
import type { DeskRoute } from './ask-suppliers.ts'
import css from './suppliers.module.css'

export function RouteState({ route }: { readonly route: DeskRoute }) {
  if (route.state === 'paused') return <State tone="wait">{routeWords.paused}</State>
  if (!route.is_supplier_enabled) return <State tone="plain">{routeWords.supplierDisabled}</State>
  return <State tone="done">{fieldWords.open}</State>
}

/** Shows why a route is paused, until when, and the result of the last check of its supplier. */
export function WhyPaused({ route }: { readonly route: DeskRoute }) {
  const { state, paused_by: by, paused_reason: reason, paused_until: until, probed_at: probedAt, probe_said: said } = route
  if (state !== 'paused' || by === null) return null
  const isByPerson = by === 'person'
  return (
    <div className={css.why}>
      <p>{isByPerson ? routeWords.byPerson(reason ?? '') : routeWords.reasons[by]}</p>
      <p className="soft fine">
        {until === null ? (
          routeWords.untilResumed
        ) : (
          <>
            {isByPerson ? routeWords.until : routeWords.nextLook} <Moment at={until} />
          </>
        )}
      </p>
      {!isByPerson && (
        <p className="soft fine">
          {routeWords.lastLook}: {probedAt === null ? routeWords.notLooked : <Moment at={probedAt} />}
          {said !== null && ` · ${said}`}
        </p>
      )}
    </div>
  )
}
