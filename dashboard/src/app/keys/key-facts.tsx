import { fieldWords } from '../../both/field-words.ts'
import { Facts } from '../../both/layout/facts.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { keyWords } from '../words/keys.ts'
import type { TypedKey } from './key-type.ts'

export function KeyFacts({ made }: { readonly made: NonNullable<TypedKey['key']> }) {
  return (
    <Facts
      facts={{
        [fieldWords.made]: <Moment at={made.created_at} />,
        [fieldWords.lastUsed]: made.last_used_at === null ? fieldWords.never : <Moment at={made.last_used_at} />,
        [keyWords.lastAddress]: made.last_used_address,
        [keyWords.usableFrom]: made.addresses.length === 0 ? keyWords.everywhere : made.addresses.join(', '),
      }}
    />
  )
}
