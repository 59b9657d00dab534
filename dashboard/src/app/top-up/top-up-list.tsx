import { usePages } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Section } from '../../both/layout/page.tsx'
import { PagedRows } from '../../both/list/paged-rows.tsx'
import { Row } from '../../both/list/rows.tsx'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { topUpWords } from '../words/top-up.ts'
import { TopUpState } from './top-up-state.tsx'

/** The top-ups of the account, newest first, each a link to its own screen. */
export function TopUpList() {
  return (
    <Section title={topUpWords.yours}>
      <PagedRows
        query={usePages('top-ups', '/app/api/top-ups', { limit: 10 })}
        itemsOf={({ top_ups }) => top_ups}
        keyOf={({ top_up_id }) => top_up_id}
        label={topUpWords.yours}
        more={fieldWords.showMore}
        empty={{ title: topUpWords.none, next: topUpWords.noneHelp }}
        row={(topUp) => (
          <Row
            href={`/top-up/${topUp.top_up_id}`}
            title={formatGhs(topUp.amount)}
            detail={`${topUpWords.wayOf(topUp.way)} · ${exactMoment(topUp.created_at)}`}
            end={<TopUpState topUp={topUp} />}
          />
        )}
      />
    </Section>
  )
}
