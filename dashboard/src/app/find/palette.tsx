import { FindDialog } from '../../both/find/find-dialog.tsx'
import { appFindWords } from '../words/find.ts'
import { useChoices } from './use-choices.ts'

/** The search of the app: screens, orders and customers. It remembers no choices, because others may use the device afterwards. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  return <FindDialog face="/app/api" hint={appFindWords.hint} useFound={useChoices} onClose={onClose} />
}
