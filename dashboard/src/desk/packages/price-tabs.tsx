import { fieldWords } from '../../both/field-words.ts'
import { Tabs } from '../../both/list/choices.tsx'
import { packageWords as words } from '../words/packages.ts'

const options = [
  { value: 'now', label: fieldWords.now },
  { value: 'scheduled', label: words.tabScheduled },
] as const

export function PriceTabs({ chosen }: { readonly chosen: 'now' | 'scheduled' }) {
  const hrefOf = (list: 'now' | 'scheduled') => (list === 'now' ? '/packages' : '/packages/scheduled')
  return <Tabs label={words.tabs} value={chosen} options={options} hrefOf={hrefOf} />
}
