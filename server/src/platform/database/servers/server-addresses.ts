/** The values of `target_session_attrs` that lead to a server which accepts writes, and those that lead to a standby. */
const attributes = ['any', 'read-write', 'primary']
const attributesOfStandbys = ['any', 'read-only', 'standby', 'prefer-standby']

/** `scheme://user:password@`, the hosts, and the rest from the database's name on. */
const addressParts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]*)(.*)$/s

function splitList(list: string): string[] {
  return list.split(',').map((entry) => entry.trim())
}

/** The port of one host. As in PostgreSQL's own programs, there are as many ports as hosts, or one for all. */
function portOf(ports: readonly string[], index: number): string {
  return (ports.length === 1 ? ports[0] : ports[index]) ?? ''
}

/** One host of an address in the driver's form. A host in the query may be the folder of a socket. */
function addressOf(address: string, host: string, port: string): string {
  const [beforeQuery = '', query = ''] = address.split('?', 2)
  const parameters = query
    .split('&')
    .filter((parameter) => parameter !== '' && !/^(host|port|target_session_attrs)=/.test(parameter))
  if (host.startsWith('/')) parameters.push(`host=${encodeURIComponent(host)}`)
  const [, start = '', , rest = ''] = addressParts.exec(beforeQuery) ?? []
  const authority = host.startsWith('/') ? `localhost${port && `:${port}`}` : `${host}${port && `:${port}`}`
  return `${start}${authority}${rest}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`
}

/**
 * The addresses in a PostgreSQL connection string with several hosts, one per host, in the order in which they are tried:
 * `postgresql://makola@db1,db2:5433/makola?target_session_attrs=read-write`.
 *
 * @param isStandby the address is for servers that accept no writes
 * @throws when it asks for a server of the other kind, or has neither one port nor as many as hosts
 */
export function listServerAddresses(address: string, isStandby = false): string[] {
  const parameters = new URLSearchParams(address.split('?', 2)[1] ?? '')
  const wanted = parameters.get('target_session_attrs') ?? 'any'
  const allowed = isStandby ? attributesOfStandbys : attributes
  if (!allowed.includes(wanted)) {
    const why = isStandby ? 'only standbys are asked here' : 'Makola always writes'
    throw new Error(`target_session_attrs must be one of ${allowed.join(', ')}, because ${why}.`)
  }
  const named = addressParts.exec(address)?.[2] ?? ''
  const hostList = parameters.get('host')
  const isPlain = !named.includes(',') && hostList?.includes(',') !== true && !parameters.has('target_session_attrs')
  if (isPlain) return [address]
  const ports = splitList(parameters.get('port') ?? '')
  const hosts = hostList === null ? splitList(named) : splitList(hostList)
  if (ports.length > 1 && ports.length !== hosts.length) throw new Error('There must be one port, or as many as hosts.')
  return hosts.map((entry, index) => {
    const [, host = entry, port = ''] = hostList === null ? (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []) : []
    return addressOf(address, host, port || portOf(ports, index))
  })
}
