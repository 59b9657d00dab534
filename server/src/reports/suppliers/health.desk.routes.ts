import { ghsIfKnown } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { floatWarningGhs, floatWarningHours } from '../reports.settings.ts'
import { HealthQuery, SupplierHealthList } from './health.schemas.ts'
import { type FloatPace, listLowFloats, readFloatPace } from './read-float-pace.ts'
import { type HealthFigures, readSupplierHealth } from './read-supplier-health.ts'

export type FloatDeps = { readonly db: Db; readonly settings: Settings }

/** Floats that need a top-up, the most urgent first. */
export async function readLowFloats(deps: FloatDeps): Promise<FloatPace[]> {
  const [warningHours, warningGhs] = await Promise.all([
    deps.settings.read(floatWarningHours),
    deps.settings.read(floatWarningGhs),
  ])
  return listLowFloats(deps.db, { warningHours, warningGhs })
}

function viewFigures({ attempts, delivered, failed, success, answerP50, answerP95, deliveryP50, deliveryP95 }: HealthFigures) {
  return {
    attempts,
    delivered,
    failed,
    success,
    answer_p50: answerP50,
    answer_p95: answerP95,
    delivery_p50: deliveryP50,
    delivery_p95: deliveryP95,
  }
}

const viewPace = ({ supplier, floatPesewas, readAt, perHourPesewas, hoursLeft }: FloatPace, low: ReadonlySet<string>) => ({
  supplier,
  float: ghsIfKnown(floatPesewas),
  read_at: readAt?.toISOString() ?? null,
  per_hour: ghsIfKnown(perHourPesewas),
  hours_left: hoursLeft,
  is_low: low.has(supplier),
})

export function registerHealthDeskRoutes(desk: Api, deps: FloatDeps): void {
  desk.get(
    '/suppliers/health',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskReadSupplierHealth',
        tags: ['Suppliers'],
        summary: 'How suppliers did, hour by hour, and how long our floats last',
        querystring: HealthQuery,
        response: { 200: Envelope(SupplierHealthList) },
      },
    },
    async ({ query }) => {
      const [health, paces, low] = await Promise.all([
        readSupplierHealth(deps.db, query),
        readFloatPace(deps.db),
        readLowFloats(deps),
      ])
      const lowNames = new Set(low.map(({ supplier }) => supplier))
      return ok({
        from: health.from.toISOString(),
        counted_at: health.countedAt?.toISOString() ?? null,
        suppliers: health.suppliers.map(({ supplier, outcomes, hours, ...figures }) => ({
          supplier,
          ...viewFigures(figures),
          outcomes: [...outcomes],
          by_hour: hours.map(({ hour, ...ofHour }) => ({ hour: hour.toISOString(), ...viewFigures(ofHour) })),
        })),
        floats: paces.map((pace) => viewPace(pace, lowNames)),
      })
    },
  )
}
