import type { components } from '../../both/api/dashboard-api.d.ts'
import { countedWords } from '../../both/counted-words.ts'
import { showDay } from '../../both/moments/format-moment.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { reportWords } from '../words/reports.ts'

type Props = { readonly report: Pick<components['schemas']['SalesReport'], 'as_of' | 'counted_from'> }

/** Shows from which day on a report is counted, and the moment of its figures. */
export function HowFarCounted({ report: { as_of: asOf, counted_from: from } }: Props) {
  if (asOf === null) return <p>{countedWords.nothingCounted}</p>
  return (
    <>
      {from !== null && <p>{countedWords.countedSince(showDay(from))}</p>}
      <p>
        {reportWords.asOf} <Moment at={asOf} />
      </p>
    </>
  )
}
