import { Link } from 'wouter'
import { useRead } from '../../both/api/use-read.ts'
import { Card, Page } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { frameWords } from '../words/frame.ts'
import { topUpWords as words } from '../words/top-ups.ts'
import { GatewayCard } from './gateway-card.tsx'

export default function GatewaysScreen() {
  const query = useRead('top-ups', '/desk/api/gateways')
  return (
    <Page title={words.gateways} end={<Link href="/top-ups">{frameWords.topUps}</Link>}>
      <p style={{ marginBottom: 12 }}>{words.gatewayLead}</p>
      <QueryAnswer query={query}>
        {({ is_simulated: isSimulated, gateways }) => (
          <>
            {isSimulated && <Card tone="gold">{words.simulated}</Card>}
            {gateways.map((gateway) => (
              <GatewayCard key={gateway.gateway} gateway={gateway} />
            ))}
          </>
        )}
      </QueryAnswer>
    </Page>
  )
}
