import { Page } from '../../both/layout/page.tsx'
import { numberWords as words } from '../words/numbers.ts'
import { PortedSection } from './ported-section.tsx'
import { PrefixSection } from './prefix-section.tsx'

export default function NumbersScreen() {
  return (
    <Page title={words.title}>
      <PrefixSection />
      <PortedSection />
    </Page>
  )
}
