import { setTimeout as wait } from 'node:timers/promises'
import { diag, type Link, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { type OrderSpan, purchaseSpanIdOf, type Tracing, traceIdOf } from './tracing.ts'

/** A process that ends waits this long for a collector that does not answer. */
const stopMilliseconds = 2_000

/** The ids of a purchase's span are made of the order's id. Every other span has a random id. */
function createIds(): IdGenerator & { next: { traceId: string; spanId: string } | undefined } {
  const random = new RandomIdGenerator()
  return {
    next: undefined,
    generateTraceId() {
      return this.next?.traceId ?? random.generateTraceId()
    },
    generateSpanId() {
      return this.next?.spanId ?? random.generateSpanId()
    },
  }
}

const remote = (traceId: string, spanId: string) => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true })

function contextOf({ orderId, parent }: OrderSpan) {
  if (parent === 'none') return ROOT_CONTEXT
  const spanId = parent === 'purchase' ? purchaseSpanIdOf(orderId) : parent.spanId
  return trace.setSpanContext(ROOT_CONTEXT, remote(traceIdOf(orderId), spanId))
}

const linksOf = ({ callerLink }: OrderSpan): Link[] =>
  callerLink ? [{ context: remote(callerLink.traceId, callerLink.spanId) }] : []

/**
 * Sends traces of orders to the collector that the standard variables name (`OTEL_EXPORTER_OTLP_ENDPOINT` and the like, which the
 * exporter reads itself), as JSON over HTTP. While the collector is away, spans are dropped: no order waits for it.
 * @param share the part of the orders that is traced, 0 to 1. It is chosen by the order's id, so all processes choose the same.
 */
export function openTracing(role: string, share: number, log: Logger): Tracing {
  const warn = (message: string) => log.warn({ reason: message }, 'traces could not be sent')
  const silent = () => undefined
  diag.setLogger({ error: warn, warn, info: silent, debug: silent, verbose: silent })
  const ids = createIds()
  const named = resourceFromAttributes({ 'service.name': `makola-${role}` })
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(named)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new TraceIdRatioBasedSampler(share),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  })
  const tracer = provider.getTracer('makola')

  function note(noted: OrderSpan): string {
    const { orderId, name, startedAt, endedAt, attributes, parent, hasFailed = false } = noted
    ids.next = parent === 'none' ? { traceId: traceIdOf(orderId), spanId: purchaseSpanIdOf(orderId) } : undefined
    const span = tracer.startSpan(
      name,
      {
        startTime: startedAt,
        kind: parent === 'none' ? SpanKind.SERVER : SpanKind.INTERNAL,
        attributes: { 'makola.order_id': orderId, ...attributes },
        links: linksOf(noted),
      },
      contextOf(noted),
    )
    if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endedAt)
    return span.spanContext().spanId
  }

  const stop = async () => {
    const sent = provider.shutdown().catch((error: unknown) => warn(String(error)))
    await Promise.race([sent, wait(stopMilliseconds, undefined, { ref: false })])
  }
  return { note, stop }
}
