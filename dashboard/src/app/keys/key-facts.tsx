import { fieldWords } from '../../both/field-words.ts'
import { Facts } from '../../both/layout/facts.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { formatCount } from '../../both/money/format-ghs.ts'
import { keyWords } from '../words/keys.ts'
import type { LiveKey } from './key-type.ts'

/** The server counts a day's calls only up to this number, which is then shown as "or more". */
const countedCallsMax = 10_000

function showCount(count: number | null): string | null {
  if (count === null) return null
  return count < countedCallsMax ? formatCount(count) : keyWords.orMore(formatCount(countedCallsMax))
}

export function KeyFacts({ made }: { readonly made: LiveKey }) {
  return (
    <Facts
      facts={{
        [fieldWords.made]: <Moment at={made.created_at} />,
        [keyWords.oldWorksUntil]: made.ends_at && <Moment at={made.ends_at} />,
        [keyWords.callsToday]: showCount(made.calls_today),
        [keyWords.refusedToday]: showCount(made.refused_today),
        [fieldWords.lastUsed]: made.last_used_at === null ? fieldWords.never : <Moment at={made.last_used_at} />,
        [keyWords.lastAddress]: made.last_used_address,
        [keyWords.usableFrom]: made.addresses.length === 0 ? keyWords.everywhere : made.addresses.join(', '),
      }}
    />
  )
}
