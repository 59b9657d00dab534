import { Page } from '../../both/layout/page.tsx'
import { frameWords } from '../words/frame.ts'
import { PortedSection } from './ported-section.tsx'
import { PrefixSection } from './prefix-section.tsx'

export default function NumbersScreen() {
  return (
    <Page title={frameWords.numbers}>
      <PrefixSection />
      <PortedSection />
    </Page>
  )
}
