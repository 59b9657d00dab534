import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { Panel } from '../frame/panel.tsx'
import { accountWords as words } from '../words/accounts.ts'
import { AccountActs } from './account-acts.tsx'
import { useAccount } from './account-calls.ts'
import { AccountFacts, AccountFigures, AccountState } from './account-facts.tsx'
import css from './accounts.module.css'

/** The chosen account: facts, balances, sales and actions. */
export function AccountPanel({ accountId }: { readonly accountId: string }) {
  return (
    <QueryAnswer query={useAccount(accountId)}>
      {(account) => (
        <Panel title={account.name} state={<AccountState status={account.status} />} detail={account.email}>
          <div className={css.tight}>
            <AccountFigures account={account} />
          </div>
          <Button component={Link} href={`/accounts/${accountId}/all`} fullWidth>
            {words.open}
          </Button>
          <AccountActs account={account} />
          <AccountFacts account={account} />
        </Panel>
      )}
    </QueryAnswer>
  )
}
