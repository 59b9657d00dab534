import { useState } from 'react'
import type { Schema } from '../api/call-api.ts'
import { sharedWords } from '../words.ts'
import css from './incident-banner.module.css'

export type ShownIncident = Schema<'ShownIncident'>

const signs: Readonly<Record<ShownIncident['level'], string>> = {
  news: 'M8 7v5M8 4v.5',
  trouble: 'M8 4v5M8 11.5v.5',
  outage: 'M4.5 4.5l7 7M11.5 4.5l-7 7',
}

type Props = { readonly incidents: readonly ShownIncident[] }

/**
 * The operator's messages to everybody, above every screen. A message that comes while somebody reads covers the upper edge until
 * it is closed or the page is loaded again, so that nothing on the screen moves.
 */
export function IncidentBanner({ incidents }: Props) {
  const [first] = useState(() => new Set(incidents.map(({ incident_id: id }) => id)))
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  return (
    <div role="status" aria-label={sharedWords.incidents}>
      {incidents
        .filter(({ incident_id: id }) => !closed.has(id))
        .map(({ incident_id: id, level, message }) => (
          <div key={id} className={`${css.incident} ${css[level]} ${first.has(id) ? '' : css.later}`}>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <circle cx="8" cy="8" r="7" />
              <path d={signs[level]} />
            </svg>
            <p>
              <b>{sharedWords.incidentLevels[level]}</b> {message}
            </p>
            {!first.has(id) && (
              <button type="button" onClick={() => setClosed(new Set([...closed, id]))}>
                {sharedWords.close}
              </button>
            )}
          </div>
        ))}
    </div>
  )
}
