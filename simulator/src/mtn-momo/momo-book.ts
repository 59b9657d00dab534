export type MomoRequest = {
  readonly referenceId: string
  readonly externalId: string
  readonly payer: string
  readonly callbackUrl: string
  amount: string
  currency: string
  status: 'PENDING' | 'SUCCESSFUL' | 'FAILED'
  reason: string | undefined
  financialTransactionId: string | undefined
}

export type NewMomoRequest = Pick<MomoRequest, 'referenceId' | 'externalId' | 'payer' | 'callbackUrl' | 'amount' | 'currency'>

export type MomoBook = {
  /** @returns undefined when the reference id is used already */
  open(request: NewMomoRequest): MomoRequest | undefined
  find(referenceId: string): MomoRequest | undefined
  findByExternalId(externalId: string): MomoRequest | undefined
  end(request: MomoRequest, status: 'SUCCESSFUL' | 'FAILED', reason?: string): void
}

/** Keeps the requests in memory: a restart drops them. */
export function openMomoBook(): MomoBook {
  const byId = new Map<string, MomoRequest>()
  const byExternalId = new Map<string, MomoRequest>()
  let lastTransaction = 23_503_450_000
  return {
    open(asked) {
      if (byId.has(asked.referenceId)) return undefined
      const request: MomoRequest = { ...asked, status: 'PENDING', reason: undefined, financialTransactionId: undefined }
      byId.set(request.referenceId, request)
      byExternalId.set(request.externalId, request)
      return request
    },
    find: (referenceId) => byId.get(referenceId),
    findByExternalId: (externalId) => byExternalId.get(externalId),
    end(request, status, reason) {
      if (request.status !== 'PENDING') return
      request.status = status
      request.reason = reason
      if (status !== 'SUCCESSFUL') return
      lastTransaction += 1
      request.financialTransactionId = String(lastTransaction)
    },
  }
}

export function viewMomoRequest(request: MomoRequest): Record<string, unknown> {
  const { amount, currency, externalId, payer, status, reason, financialTransactionId } = request
  return {
    ...(financialTransactionId !== undefined && { financialTransactionId }),
    externalId,
    amount,
    currency,
    payer: { partyIdType: 'MSISDN', partyId: payer },
    status,
    ...(reason !== undefined && { reason }),
  }
}
